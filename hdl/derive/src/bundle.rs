//! `#[derive(Bundle)]`: signals that belong together, as one field of a block.

use crate::{doc_of, quoted, signal};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Data, DeriveInput, Error, Field, Result, spanned::Spanned};

/// The attribute with a name for the bundle as the other side sees it, made beside this one.
const MIRROR: &str = "mirror";
/// The attribute that rust-hdl's `LogicInterface` has for the same.
const JOIN: &str = "join";
/// Another name for a signal's port, where rust-hdl does not allow the name as a field's: `edge`.
const PORT: &str = "port";
/// A signal of which `gate` shows nothing while it is shut.
const GATED: &str = "gated";

pub fn expand(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(Error::new(input.ident.span(), "a bundle is a struct of signals"));
    };
    let (name, generics) = (&input.ident, &input.generics);
    let (impl_generics, ty_generics, where_clause) = generics.split_for_impl();
    let (mut names, mut texts, mut ports, mut docs) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let (mut run, mut gated) = (Vec::new(), Vec::new());
    for field in &data.fields {
        let ident = field.ident.as_ref().ok_or_else(|| Error::new(field.span(), "the signals of a bundle have names"))?;
        let (ty, text) = (&field.ty, ident.to_string());
        let direction = signal(ty).map(|[direction, _]| direction).filter(|direction| ["In", "Out"].contains(&direction.as_str()));
        let direction = direction.ok_or_else(|| Error::new(ty.span(), "a bundle has `Signal<In, _>` and `Signal<Out, _>`"))?;
        if field.attrs.iter().any(|a| a.path().is_ident(GATED)) {
            gated.push(text.clone());
            run.push(match direction.as_str() {
                "In" => quote!(inner.#ident.next = self.#ident.val() && open;),
                _ => quote!(self.#ident.next = inner.#ident.val() && open;),
            });
        } else {
            run.push(quote!(LogicLink::link(&mut self.#ident, &mut inner.#ident);));
        }
        let port = field.attrs.iter().find(|a| a.path().is_ident(PORT)).map(quoted).transpose()?;
        ports.push(port.unwrap_or_else(|| text.clone()));
        docs.push(doc_of(&field.attrs));
        texts.push(text);
        names.push(ident);
    }
    let count = names.len();
    let index: Vec<usize> = (0..count).collect();
    let mirror = mirror(input, data.fields.iter())?;
    Ok(quote! {
        #mirror

        impl #impl_generics #name #ty_generics #where_clause {
            /// `link` with a gate: while it is shut, no handshake happens.
            pub fn gate(&mut self, inner: &mut Self, open: bool) {
                use rust_hdl::prelude::LogicLink;
                #(#run)*
            }
        }

        impl #impl_generics ::rdma_rtl_hdl::kernel::Gate for #name #ty_generics #where_clause {
            fn gated() -> &'static [&'static str] {
                &[#(#gated),*]
            }
        }

        impl #impl_generics ::rdma_rtl_hdl::describe::Described for #name #ty_generics #where_clause {
            fn describe(&self) -> ::rdma_rtl_hdl::describe::Node {
                ::rdma_rtl_hdl::describe::Node::Array(vec![#(::rdma_rtl_hdl::describe::Described::describe(&self.#names)),*])
            }
            fn fields(&self, name: &str, port: &str, doc: &'static str) -> Vec<::rdma_rtl_hdl::describe::Field> {
                ::rdma_rtl_hdl::describe::bundled(
                    name,
                    port,
                    doc,
                    vec![#((#texts, #ports, #docs, ::rdma_rtl_hdl::describe::Described::describe(&self.#names))),*],
                )
            }
        }

        impl #impl_generics ::rdma_rtl_hdl::wiring::Part for #name #ty_generics #where_clause {
            #[inline]
            fn wire(&mut self, _: rust_hdl::prelude::Clock, _: Option<bool>) {}
            fn claim(&mut self, _: bool) {}
            fn wires(&self, _: &str, _: bool, _: &mut Vec<::rdma_rtl_hdl::wiring::Wire>) {}
        }

        #[cfg(not(rdma_rtl_describe))]
        impl #impl_generics ::rdma_rtl_hdl::settle::Settle for #name #ty_generics #where_clause {
            const PORTS: usize = #count;
            fn settle(&mut self, pass: &mut ::rdma_rtl_hdl::settle::Pass, written: bool) -> bool {
                let mut changed = false;
                #(changed |= ::rdma_rtl_hdl::settle::Settle::settle(&mut self.#names, pass, written);)*
                changed
            }
            fn bundle_names() -> &'static [&'static str] {
                &[#(#ports),*]
            }
            fn bundle_port(&self, index: usize) -> Option<&dyn ::rdma_rtl_hdl::ports::PortAccess> {
                match index {
                    #(#index => Some(&self.#names),)*
                    _ => None,
                }
            }
            fn bundle_port_mut(&mut self, index: usize) -> Option<&mut dyn ::rdma_rtl_hdl::ports::PortAccess> {
                match index {
                    #(#index => Some(&mut self.#names),)*
                    _ => None,
                }
            }
        }

        #[cfg(not(rdma_rtl_describe))]
        impl #impl_generics ::rdma_rtl_hdl::signals::Signals for #name #ty_generics #where_clause {
            fn signals(&self, name: &str, probe: &mut dyn rust_hdl::prelude::Probe) {
                #(::rdma_rtl_hdl::signals::Signals::signals(&self.#names, &format!("{name}_{}", #ports), probe);)*
            }
        }
    })
}

/// The bundle as the other side sees it: inputs are outputs. `#[mirror]` asks for it, `#[join = "..."]` names it.
fn mirror<'a>(input: &DeriveInput, fields: impl Iterator<Item = &'a Field>) -> Result<Option<TokenStream>> {
    if !input.attrs.iter().any(|a| a.path().is_ident(MIRROR)) {
        return Ok(None);
    }
    let joined = input.attrs.iter().find_map(|a| match &a.meta {
        syn::Meta::NameValue(nv) if nv.path.is_ident(JOIN) => match &nv.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.clone()),
            _ => None,
        },
        _ => None,
    });
    let joined = joined.ok_or_else(|| Error::new(input.ident.span(), "`#[join = \"...\"]` names the mirrored bundle"))?;
    let (name, other) = (&input.ident, Ident::new(&joined.value(), joined.span()));
    let (text, visibility, generics) = (name.to_string(), &input.vis, &input.generics);
    let doc = format!("[`{name}`], seen from the other side.");
    let fields = fields.map(|field| {
        let (ident, visibility) = (&field.ident, &field.vis);
        let attributes = field.attrs.iter().filter(|a| ["doc", GATED, PORT].iter().any(|known| a.path().is_ident(known)));
        let turned = turned(&field.ty);
        quote!(#(#attributes)* #visibility #ident: #turned)
    });
    Ok(Some(quote! {
        #[doc = #doc]
        #[derive(Clone, Debug, Default, ::rdma_rtl_hdl::Bundle, LogicInterface)]
        #[join = #text]
        #visibility struct #other #generics {
            #(#fields,)*
        }
    }))
}

/// `Signal<In, T>` is `Signal<Out, T>`, and the other way round.
fn turned(ty: &syn::Type) -> TokenStream {
    let mut ty = ty.clone();
    if let syn::Type::Path(path) = &mut ty
        && let Some(last) = path.path.segments.last_mut()
        && let syn::PathArguments::AngleBracketed(arguments) = &mut last.arguments
        && let Some(syn::GenericArgument::Type(syn::Type::Path(direction))) = arguments.args.first_mut()
        && let Some(direction) = direction.path.segments.last_mut()
    {
        let other = if direction.ident == "In" { "Out" } else { "In" };
        direction.ident = Ident::new(other, direction.ident.span());
    }
    quote!(#ty)
}
