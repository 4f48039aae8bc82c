//! `#[derive(Described)]`: the facts about a block that rust-hdl's syntax tree does not hold.
//!
//! The derive reads the struct as the compiler does, so names, const generics, doc comments and source positions cannot drift from
//! the hardware. Fields that begin with `_` are simulation state and are left out, as rust-hdl leaves them out.

use proc_macro::TokenStream;
use quote::quote;
use syn::{Attribute, Data, DeriveInput, Expr, GenericParam, Lit, Meta, Type, parse_macro_input, spanned::Spanned};

/// Implements `Described` for a rust-hdl block.
///
/// Purpose: type name, const generics in order, doc comments of the block and of each field, file and line.
/// Errors: refuses enums, tuple structs and unions, at the offending type.
#[proc_macro_derive(Described)]
pub fn described(input: TokenStream) -> TokenStream {
    let input = parse_macro_input!(input as DeriveInput);
    expand(&input).unwrap_or_else(|e| e.to_compile_error()).into()
}

fn expand(input: &DeriveInput) -> syn::Result<proc_macro2::TokenStream> {
    let Data::Struct(data) = &input.data else {
        return Err(syn::Error::new(input.ident.span(), "Described is for blocks: a struct with named fields"));
    };
    let name = &input.ident;
    let type_name = name.to_string();
    let doc = doc_of(&input.attrs);
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
    let mut fields = Vec::new();
    for field in &data.fields {
        let Some(ident) = &field.ident else {
            return Err(syn::Error::new(field.span(), "Described needs named fields"));
        };
        let text = ident.to_string();
        if text.starts_with('_') {
            continue;
        }
        let doc = doc_of(&field.attrs);
        fields.push(quote!(crate::describe::Field {
            name: #text,
            doc: #doc,
            node: crate::describe::Described::describe(&self.#ident),
        }));
    }
    let (impl_generics, ty_generics, where_clause) = input.generics.split_for_impl();
    let line = name.span().start().line as u32;
    Ok(quote! {
        impl #impl_generics crate::describe::Described for #name #ty_generics #where_clause {
            fn describe(&self) -> crate::describe::Node {
                crate::describe::Node::Block(Box::new(crate::describe::BlockDescription {
                    type_name: #type_name,
                    params: vec![#(#params),*],
                    doc: #doc,
                    file: file!(),
                    line: #line,
                    role: crate::describe::Role::Block,
                    fields: vec![#(#fields),*],
                    hdl: rust_hdl::prelude::Logic::hdl(self),
                }))
            }
        }
    })
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
