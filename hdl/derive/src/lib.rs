//! `#[derive(Described)]`: the facts about a block that rust-hdl's syntax tree does not hold. `#[kernel]`: that tree.
//!
//! The derive reads the struct as the compiler does, so names, const generics, doc comments and source positions cannot drift from
//! the hardware. Fields that begin with `_` are simulation state and are left out, as rust-hdl leaves them out.

mod bundle;
mod given;
mod kernel;

use proc_macro::TokenStream;
use proc_macro2::Ident;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Expr, GenericParam, Lit, Meta, Type, parse_macro_input, spanned::Spanned};

/// Makes a struct of signals a bundle: one field of a block, whose ports are `field_signal` in hardware. Beside rust-hdl's
/// `LogicInterface`, which has `link` and `join`, it has `gate`: `link` with a condition for the signals that are `#[gated]`.
///
/// `#[mirror]` makes the bundle that `#[join = "..."]` names as well: the same signals, seen from the other side.
/// `#[port = "edge"]` on a signal: its port is `field_edge`, for a name that rust-hdl keeps for itself.
/// Errors: refuses what is no `Signal<In, _>` or `Signal<Out, _>`.
#[proc_macro_derive(Bundle, attributes(gated, mirror, port))]
pub fn bundle(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    bundle::expand(&input).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Implements `Described`, `Ports`, `Settle`, `Signals`, `Part` and `Owner` for a rust-hdl block.
///
/// `#[described(file = "...")]` on the type names the file that a reader is sent to, for a block that is made from another text.
///
/// Purpose: type name, const generics in order, doc comments of the block and of each field, file and line; access to its ports; the passes
/// of a simulation. `#[described(blank)]` makes a function `blank()` that has every field at its default, for the `default()` or `new()` of
/// a block that checks its sizes. `#[described(reset = "drain.restart")]` names the signal that resets its parts, where that is not the
/// block's `rst`.
///
/// `#[port = "evt"]` on a bundle: its ports are `evt_...`, whatever the field is called. A field `#[variant] _word: usize` is a choice that
/// is no const generic: the block's module has the word in its name where the choice is made.
/// Errors: refuses enums, tuple structs and unions, at the offending type.
#[proc_macro_derive(Described, attributes(described, port, variant))]
pub fn described(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// Makes of a block's `update` the function that it is, and a syntax tree of the same.
///
/// A kernel has assignments to the `next` of signals, `if`, `match`, `for i in A..B`, `Type::link` and `Type::join`, and, in a block with
/// two clocks, `dff_setup!`; a function of another name is a part that `update` calls as `self.part();`. It has expressions of `val()`,
/// operators, `bits`, casts, `get_bit`, `get_bits`, `replace_bit`, `all`, `any`, `xor`, literals and constants.
/// Errors: anything else, at its place; match guards and `..=` too, which rust-hdl's own `hdl_gen` drops silently.
#[proc_macro_attribute]
pub fn kernel(_: TokenStream, item: TokenStream) -> TokenStream {
    let function = parse_macro_input!(item as syn::ItemFn);
    kernel::expand(&function).unwrap_or_else(|e| e.to_compile_error()).into()
}

/// A block as a set of facts leaves it: for blocks that are one design with parts that some of them lack.
///
/// `[facts that hold] of [all facts] { attributes pub struct Name } { fields } { statements } ...`: the block `Name` with a kernel of the
/// statements of all parts, in their order. Of the fields marked `#[given(CONDITION)]` those are left whose condition holds, of an
/// `if CONDITION` the statements that are to be done. A condition is made of facts, `!`, `&&` and `||`.
/// `[facts that hold] of [all facts] Name { statements } ...`: the kernel alone, of a block that is declared elsewhere.
/// Errors: refuses a fact that is none, at its place, and a `given` of anything else.
#[proc_macro]
pub fn given(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as given::Given);
    given::expand(input).unwrap_or_else(|e| e.to_compile_error()).into()
}

fn expand(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new(input.ident.span(), "Described is for blocks: a struct with named fields"));
    };
    let name = &input.ident;
    let type_name = name.to_string();
    let doc = doc_of(&input.attrs);
    let attributes = attributes_of(&input.attrs)?;
    let params = input.generics.params.iter().filter_map(|p| match p {
        GenericParam::Const(c) => {
            let (id, text) = (&c.ident, c.ident.to_string());
            Some(match &c.ty {
                Type::Path(p) if p.path.is_ident("bool") => quote!((#text, u64::from(#id))),
                _ => quote!((#text, #id as u64)),
            })
        }
        _ => None,
    });
    let (mut fields, mut variants) = (Vec::new(), Vec::new());
    let (mut ports, mut ports_mut, mut port_names) = (Vec::new(), Vec::new(), Vec::new());
    let (mut inputs, mut outputs, mut children, mut shown) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut bundles = Vec::new();
    let mut wiring = Wiring { reset: attributes.reset, ..Wiring::default() };
    for field in &data.fields {
        let Some(ident) = &field.ident else {
            return Err(syn::Error::new(field.span(), "Described needs named fields"));
        };
        let text = ident.to_string();
        let variant = field.attrs.iter().any(|a| a.path().is_ident("variant"));
        if let Some(word) = text.strip_prefix('_') {
            if variant {
                variants.push(quote!(::rdma_rtl_hdl::describe::Variant::word(&self.#ident, #word)));
            }
            continue;
        }
        if variant {
            return Err(syn::Error::new(field.span(), "#[variant] is for a field that is no hardware: begin its name with `_`"));
        }
        let doc = doc_of(&field.attrs);
        let signal = signal(&field.ty);
        let port = port_of(field)?.unwrap_or_else(|| text.clone());
        match signal.as_ref().map(|[direction, _]| direction.as_str()) {
            Some("In") => inputs.push(quote!(port |= self.#ident.settle(pass, true);)),
            Some("Out") => outputs.push(quote!(port |= self.#ident.settle(pass, true);)),
            Some(_) => outputs.push(quote!(changed |= self.#ident.settle(pass, true);)),
            None => {
                let ty = &field.ty;
                bundles.push((ident.clone(), ty.clone(), port.clone()));
                children.push(quote! {
                    if <#ty as ::rdma_rtl_hdl::settle::Settle>::PORTS == 0 {
                        changed |= self.#ident.settle(pass, visit.ran);
                    } else if written || visit.ran {
                        port |= self.#ident.settle(pass, true);
                    }
                });
            }
        }
        if signal.as_ref().is_some_and(is_port) {
            // A port that is there or not is a `Vec` of one signal or none; a port of many has no name that a simulation would know.
            match &field.ty {
                Type::Array(_) => {}
                ty if is_vec(ty) => {
                    ports.push(quote!(self.#ident.first().map(|port| port as _)));
                    ports_mut.push(quote!(self.#ident.first_mut().map(|port| port as _)));
                    port_names.push(text.clone());
                }
                _ => {
                    ports.push(quote!(Some(&self.#ident)));
                    ports_mut.push(quote!(Some(&mut self.#ident)));
                    port_names.push(text.clone());
                }
            }
        }
        wiring.field(ident, &field.ty, signal.as_ref());
        shown.push(quote!(::rdma_rtl_hdl::signals::Signals::signals(&self.#ident, #port, probe);));
        fields.push(quote!(fields.extend(::rdma_rtl_hdl::describe::Described::fields(&self.#ident, #text, #port, #doc));));
    }
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let index: Vec<usize> = (0..ports.len()).collect();
    let count = ports.len();
    let (bundled, bundle_types, bundle_ports) = unzip(bundles);
    let line = name.span().start().line as u32;
    let file = attributes.file;
    let all = data.fields.iter().filter_map(|field| {
        let (ident, value) = (field.ident.as_ref()?, default_of(&field.ty));
        Some(quote!(#ident: #value))
    });
    let blank = attributes.blank.then(|| {
        quote! {
            impl #impl_generics #name #ty_generics #where_clause {
                /// Every field as its type has it by default.
                fn blank() -> Self {
                    Self { #(#all),* }
                }
            }
        }
    });
    let wiring = wiring.implementations(name, &impl_generics, &ty_generics, where_clause);
    Ok(quote! {
        #wiring
        #blank

        impl #impl_generics ::rdma_rtl_hdl::describe::Described for #name #ty_generics #where_clause {
            fn describe(&self) -> ::rdma_rtl_hdl::describe::Node {
                let mut fields = Vec::new();
                #(#fields)*
                ::rdma_rtl_hdl::describe::Node::Block(Box::new(::rdma_rtl_hdl::describe::BlockDescription {
                    type_name: #type_name,
                    params: vec![#(#params),*],
                    variants: Vec::<Option<String>>::from([#(#variants),*]).into_iter().flatten().collect(),
                    suffix: None,
                    doc: #doc,
                    file: #file,
                    line: #line,
                    role: ::rdma_rtl_hdl::describe::Role::Block,
                    fields,
                    hdl: rust_hdl::prelude::Logic::hdl(self),
                }))
            }
        }

        #[cfg(not(rdma_rtl_describe))]
        impl #impl_generics ::rdma_rtl_hdl::settle::Settle for #name #ty_generics #where_clause {
            fn settle(&mut self, pass: &mut ::rdma_rtl_hdl::settle::Pass, written: bool) -> bool {
                use ::rdma_rtl_hdl::settle::Settle as _;
                let Some(visit) = pass.enter(written) else { return false };
                let (mut changed, mut port) = (false, false);
                // A kernel that saw a change ran, so that the edges of its signals are cleared where it ran.
                if written || visit.ran {
                    #(#inputs)*
                }
                if visit.ran {
                    #(#outputs)*
                }
                #(#children)*
                let runs = pass.runs(changed || port);
                if runs {
                    rust_hdl::prelude::Logic::update(self);
                }
                pass.leave(visit, runs);
                port
            }
        }

        #[cfg(not(rdma_rtl_describe))]
        impl #impl_generics ::rdma_rtl_hdl::signals::Signals for #name #ty_generics #where_clause {
            fn signals(&self, name: &str, probe: &mut dyn rust_hdl::prelude::Probe) {
                ::rdma_rtl_hdl::signals::scope(name, probe, |probe| {
                    #(#shown)*
                });
            }
        }

        #[cfg(not(rdma_rtl_describe))]
        impl #impl_generics ::rdma_rtl_hdl::ports::Ports for #name #ty_generics #where_clause {
            #[allow(unused_mut)]
            fn port_names() -> Vec<String> {
                let mut names: Vec<String> = vec![#(#port_names.into()),*];
                #(names.extend(<#bundle_types as ::rdma_rtl_hdl::settle::Settle>::bundle_names().iter().map(|name| format!("{}_{name}", #bundle_ports)));)*
                names
            }
            #[allow(unused_mut, unused_variables, unused_assignments)]
            fn port(&self, index: usize) -> Option<&dyn ::rdma_rtl_hdl::ports::PortAccess> {
                match index {
                    #(#index => return #ports,)*
                    _ => {}
                }
                let mut index = index - #count;
                #(
                    if index < <#bundle_types as ::rdma_rtl_hdl::settle::Settle>::PORTS {
                        return ::rdma_rtl_hdl::settle::Settle::bundle_port(&self.#bundled, index);
                    }
                    index -= <#bundle_types as ::rdma_rtl_hdl::settle::Settle>::PORTS;
                )*
                None
            }
            #[allow(unused_mut, unused_variables, unused_assignments)]
            fn port_mut(&mut self, index: usize) -> Option<&mut dyn ::rdma_rtl_hdl::ports::PortAccess> {
                match index {
                    #(#index => return #ports_mut,)*
                    _ => {}
                }
                let mut index = index - #count;
                #(
                    if index < <#bundle_types as ::rdma_rtl_hdl::settle::Settle>::PORTS {
                        return ::rdma_rtl_hdl::settle::Settle::bundle_port_mut(&mut self.#bundled, index);
                    }
                    index -= <#bundle_types as ::rdma_rtl_hdl::settle::Settle>::PORTS;
                )*
                None
            }
        }
    })
}

fn unzip(bundles: Vec<(Ident, Type, String)>) -> (Vec<Ident>, Vec<Type>, Vec<String>) {
    let (mut names, mut types, mut ports) = (Vec::new(), Vec::new(), Vec::new());
    for (name, ty, port) in bundles {
        names.push(name);
        types.push(ty);
        ports.push(port);
    }
    (names, types, ports)
}

/// What `#[port = "..."]` says.
fn port_of(field: &syn::Field) -> syn::Result<Option<String>> {
    let Some(attr) = field.attrs.iter().find(|attr| attr.path().is_ident("port")) else { return Ok(None) };
    if signal(&field.ty).is_some() {
        return Err(syn::Error::new(attr.span(), "`#[port = \"...\"]` is for a bundle"));
    }
    quoted(attr).map(Some)
}

/// The text of `#[name = "text"]`.
fn quoted(attr: &Attribute) -> syn::Result<String> {
    match &attr.meta {
        Meta::NameValue(syn::MetaNameValue { value: Expr::Lit(syn::ExprLit { lit: Lit::Str(text), .. }), .. }) => Ok(text.value()),
        other => Err(syn::Error::new(other.span(), "a name in quotation marks: `#[port = \"...\"]`")),
    }
}

/// What `described` says of a block.
struct Attributes {
    file: proc_macro2::TokenStream,
    /// Fields from the block to the signal that resets its parts: `drain`, `restart`.
    reset: Option<Vec<Ident>>,
    /// it has `blank()`
    blank: bool,
}

fn attributes_of(attrs: &[Attribute]) -> syn::Result<Attributes> {
    let mut found = Attributes { file: quote!(file!()), reset: None, blank: false };
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("described")) {
        attr.parse_nested_meta(|meta| {
            if meta.path.is_ident("blank") {
                found.blank = true;
                return Ok(());
            }
            let named: syn::LitStr = meta.value()?.parse()?;
            if meta.path.is_ident("file") {
                found.file = quote!(#named);
                return Ok(());
            }
            if meta.path.is_ident("reset") {
                found.reset = Some(named.value().split('.').map(|field| Ident::new(field, named.span())).collect());
                return Ok(());
            }
            Err(meta.error("`described` knows `blank`, `file = \"...\"` and `reset = \"field.signal\"`"))
        })?;
    }
    Ok(found)
}

/// The connections that no kernel writes.
#[derive(Default)]
struct Wiring {
    /// `clk`, or `aclk` of a packaged top
    clock: Option<Ident>,
    /// the block has a port `rst`
    rst: bool,
    reset: Option<Vec<Ident>>,
    parts: Vec<Ident>,
    states: Vec<Ident>,
}

impl Wiring {
    fn field(&mut self, ident: &Ident, ty: &Type, signal: Option<&[String; 2]>) {
        match signal.map(|[direction, value]| (direction.as_str(), value.as_str())) {
            Some(("In", "Clock")) if ident == "clk" || ident == "aclk" => self.clock = Some(ident.clone()),
            Some(("In", "Bit" | "bool")) if ident == "rst" => self.rst = true,
            Some(_) => {}
            None => {
                self.parts.push(ident.clone());
                if is_state(ty) {
                    self.states.push(ident.clone());
                }
            }
        }
    }

    fn implementations(
        &self,
        name: &Ident,
        impl_generics: &syn::ImplGenerics,
        ty_generics: &syn::TypeGenerics,
        where_clause: Option<&syn::WhereClause>,
    ) -> proc_macro2::TokenStream {
        let (parts, states) = (&self.parts, &self.states);
        let texts: Vec<String> = parts.iter().map(Ident::to_string).collect();
        let state_texts: Vec<String> = states.iter().map(Ident::to_string).collect();
        // As a part of another block.
        let own_clock = self.clock.as_ref().is_some_and(|clock| clock == "clk");
        let clock_in = own_clock.then(|| quote!(self.clk.next = clk;));
        let claim_clock = own_clock.then(|| quote!(rust_hdl::prelude::Logic::connect(&mut self.clk);));
        let show_clock = own_clock.then(|| quote!(wires.push(::rdma_rtl_hdl::wiring::Wire::Clock(format!("{name}$clk")));));
        let reset_in = self.rst.then(|| {
            quote!(if let Some(rst) = rst {
                self.rst.next = rst;
            })
        });
        let claim_reset = self.rst.then(|| {
            quote!(if reset {
                rust_hdl::prelude::Logic::connect(&mut self.rst);
            })
        });
        let show_reset = self.rst.then(|| {
            quote!(if reset {
                wires.push(::rdma_rtl_hdl::wiring::Wire::Reset(format!("{name}$rst")));
            })
        });
        // As the one that has parts.
        let reset = match (&self.reset, self.rst) {
            (Some(path), _) => Some((quote!(self #(.#path)* .val()), path.iter().map(Ident::to_string).collect::<Vec<_>>().join("$"))),
            (None, true) => Some((quote!(self.rst.val()), "rst".to_string())),
            (None, false) => None,
        };
        let (has_reset, reset_value, reset_place) = match &reset {
            Some((value, place)) => (true, quote!(Some(#value)), Some(place)),
            None => (false, quote!(None), None),
        };
        let wired = self.clock.as_ref().filter(|_| !parts.is_empty());
        let before = wired.map(|clock| {
            quote! {
                let (clk, rst): (_, Option<bool>) = (self.#clock.val(), #reset_value);
                #(::rdma_rtl_hdl::wiring::Part::wire(&mut self.#parts, clk, rst);)*
            }
        });
        let claim = wired.map(|_| quote!(#(::rdma_rtl_hdl::wiring::Part::claim(&mut self.#parts, #has_reset);)*));
        let show = match wired.map(Ident::to_string) {
            Some(clock) => quote! {
                let mut wires = Vec::new();
                #(::rdma_rtl_hdl::wiring::Part::wires(&self.#parts, #texts, #has_reset, &mut wires);)*
                Some((#clock, wires))
            },
            None => quote!(None),
        };
        let after = reset.as_ref().filter(|_| !states.is_empty()).map(|(value, _)| {
            quote! {
                if #value {
                    #(::rdma_rtl_hdl::wiring::Cleared::clear(&mut self.#states);)*
                }
            }
        });
        let cleared = match reset_place {
            Some(place) => quote! {
                #[allow(unused_mut)]
                let mut values = Vec::new();
                #(::rdma_rtl_hdl::wiring::Cleared::cleared(&self.#states, #state_texts, &mut values);)*
                Some((#place, values))
            },
            None => quote!(None),
        };
        quote! {
            #[allow(unused_variables)]
            impl #impl_generics ::rdma_rtl_hdl::wiring::Part for #name #ty_generics #where_clause {
                #[inline]
                fn wire(&mut self, clk: rust_hdl::prelude::Clock, rst: Option<bool>) {
                    #clock_in
                    #reset_in
                }
                fn claim(&mut self, reset: bool) {
                    #claim_clock
                    #claim_reset
                }
                fn wires(&self, name: &str, reset: bool, wires: &mut Vec<::rdma_rtl_hdl::wiring::Wire>) {
                    #show_clock
                    #show_reset
                }
            }

            impl #impl_generics ::rdma_rtl_hdl::wiring::Owner for #name #ty_generics #where_clause {
                #[inline]
                fn before(&mut self) {
                    #before
                }
                #[inline]
                fn after(&mut self) {
                    #after
                }
                fn claim_parts(&mut self) {
                    #claim
                }
                fn parts(&self) -> Option<(&'static str, Vec<::rdma_rtl_hdl::wiring::Wire>)> {
                    #show
                }
                fn reset(&self) -> Option<(&'static str, Vec<(String, rust_hdl::prelude::ast::VerilogLiteral)>)> {
                    #cleared
                }
            }
        }
    }
}

/// The default value of a type, also of those that have none of their own: a `Constant`, an array of any length.
fn default_of(ty: &Type) -> proc_macro2::TokenStream {
    match ty {
        Type::Array(array) => {
            let element = default_of(&array.elem);
            quote!(std::array::from_fn(|_| #element))
        }
        Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Constant") => {
            quote!(rust_hdl::prelude::Constant::new(Default::default()))
        }
        _ => quote!(Default::default()),
    }
}

/// `State<_>`, or a `Vec` or an array of them.
fn is_state(ty: &Type) -> bool {
    match ty {
        Type::Group(group) => is_state(&group.elem),
        Type::Array(array) => is_state(&array.elem),
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let inner = || match &last.arguments {
                syn::PathArguments::AngleBracketed(a) => a.args.iter().any(|a| matches!(a, syn::GenericArgument::Type(ty) if is_state(ty))),
                _ => false,
            };
            last.ident == "State" || last.ident == "Vec" && inner()
        }),
        _ => false,
    }
}

/// `Vec<_>`.
fn is_vec(ty: &Type) -> bool {
    matches!(ty, Type::Path(path) if path.path.segments.last().is_some_and(|s| s.ident == "Vec"))
}

/// The names of a signal's two parameters, such as `In` and `Bits`, also of a `Vec` or an array of signals; `None` for any other type.
fn signal(ty: &Type) -> Option<[String; 2]> {
    let path = match ty {
        // What a macro has put in.
        Type::Group(group) => return signal(&group.elem),
        Type::Array(array) => return signal(&array.elem),
        Type::Path(path) => path,
        _ => return None,
    };
    let last = path.path.segments.last()?;
    if last.ident == "Vec" {
        let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
        return arguments.args.iter().find_map(|a| if let syn::GenericArgument::Type(element) = a { signal(element) } else { None });
    }
    let signal = path.path.segments.last().filter(|s| s.ident == "Signal")?;
    let syn::PathArguments::AngleBracketed(arguments) = &signal.arguments else { return None };
    let mut names = arguments.args.iter().map(|a| match a {
        syn::GenericArgument::Type(Type::Path(p)) => p.path.segments.last().map(|s| s.ident.to_string()).unwrap_or_default(),
        _ => String::new(),
    });
    Some([names.next()?, names.next()?])
}

/// `Signal<In, T>` or `Signal<Out, T>` with a `T` that has the trait `Wire`: an enum or a struct has no generic bits in rust-hdl.
fn is_port([direction, value]: &[String; 2]) -> bool {
    ["In", "Out"].contains(&direction.as_str()) && ["Bits", "Signed", "Bit", "bool", "Clock"].contains(&value.as_str())
}

/// Doc comment lines joined by newlines, each without its leading space.
fn doc_of(attrs: &[Attribute]) -> String {
    let mut lines = Vec::new();
    for attr in attrs {
        if let Meta::NameValue(nv) = &attr.meta
            && nv.path.is_ident("doc")
            && let Expr::Lit(lit) = &nv.value
            && let Lit::Str(s) = &lit.lit
        {
            let text = s.value();
            lines.extend(text.lines().map(|l| l.strip_prefix(' ').unwrap_or(l).trim_end().to_string()));
        }
    }
    lines.join("\n")
}
