//! `given!`: a block, or the kernel of one, as a set of facts leaves it.

use proc_macro2::{Ident, Span, TokenStream, TokenTree};
use quote::quote;
use syn::parse::{Parse, ParseStream};
use syn::punctuated::Punctuated;
use syn::{Attribute, BinOp, Block, Error, Expr, Field, Result, Stmt, Token, UnOp, Visibility, braced, bracketed};

pub struct Given {
    /// those that hold
    facts: Vec<Ident>,
    /// those that there are
    known: Vec<Ident>,
    name: Ident,
    /// none where the block is declared in front of its kernel
    declaration: Option<Declaration>,
    statements: Vec<Stmt>,
}

struct Declaration {
    attributes: Vec<Attribute>,
    visibility: Visibility,
    fields: Vec<Field>,
}

impl Parse for Given {
    fn parse(input: ParseStream) -> Result<Self> {
        let facts = words(input)?;
        let of: Ident = input.parse()?;
        if of != "of" {
            return Err(Error::new(of.span(), "`[facts that hold] of [all facts]`"));
        }
        let known = words(input)?;
        if let Some(fact) = facts.iter().find(|fact| !known.contains(fact)) {
            return Err(Error::new(fact.span(), format!("no fact: `{fact}`; there are {}", list(&known))));
        }
        let (name, declaration) = if input.peek(syn::Ident) { (input.parse()?, None) } else { declared(input)? };
        let mut statements = Vec::new();
        while !input.is_empty() {
            let part;
            braced!(part in input);
            statements.extend(Block::parse_within(&part)?);
        }
        Ok(Given { facts, known, name, declaration, statements })
    }
}

fn declared(input: ParseStream) -> Result<(Ident, Option<Declaration>)> {
    let (head, fields);
    braced!(head in input);
    let attributes = head.call(Attribute::parse_outer)?;
    let visibility = head.parse()?;
    head.parse::<Token![struct]>()?;
    let name = head.parse()?;
    braced!(fields in input);
    let fields = Punctuated::<Field, Token![,]>::parse_terminated_with(&fields, Field::parse_named)?.into_iter().collect();
    Ok((name, Some(Declaration { attributes, visibility, fields })))
}

fn words(input: ParseStream) -> Result<Vec<Ident>> {
    let inner;
    bracketed!(inner in input);
    let mut words = Vec::new();
    while !inner.is_empty() {
        words.push(inner.parse()?);
    }
    Ok(words)
}

fn list(facts: &[Ident]) -> String {
    facts.iter().map(|fact| format!("`{fact}`")).collect::<Vec<_>>().join(", ")
}

pub fn expand(given: Given) -> Result<TokenStream> {
    let name = &given.name;
    let declaration = given.declaration.as_ref().map(|declaration| given.declaration(declaration)).transpose()?;
    let statements = given.resolve(given.statements.clone());
    // The parts come from several macros, each with a `self` of its own.
    let this = Ident::new("self", Span::call_site());
    let body = same(quote!(#(#statements)*), &this);
    Ok(quote! {
        #declaration

        impl Logic for #name {
            #[::rdma_rtl_hdl::kernel]
            fn update(&mut #this) {
                #body
            }
        }
    })
}

fn same(tokens: TokenStream, this: &Ident) -> TokenStream {
    let token = |token: TokenTree| match token {
        TokenTree::Ident(word) if word == "self" => TokenTree::Ident(this.clone()),
        TokenTree::Group(group) => {
            let mut inside = proc_macro2::Group::new(group.delimiter(), same(group.stream(), this));
            inside.set_span(group.span());
            TokenTree::Group(inside)
        }
        other => other,
    };
    tokens.into_iter().map(token).collect()
}

impl Given {
    /// Whether a condition of facts holds; none for any other condition.
    fn holds(&self, condition: &Expr) -> Option<bool> {
        match condition {
            Expr::Path(path) => {
                let word = path.path.get_ident()?;
                self.known.contains(word).then(|| self.facts.contains(word))
            }
            Expr::Unary(unary) if matches!(unary.op, UnOp::Not(_)) => Some(!self.holds(&unary.expr)?),
            Expr::Binary(both) => {
                let (left, right) = (self.holds(&both.left)?, self.holds(&both.right)?);
                match both.op {
                    BinOp::And(_) => Some(left && right),
                    BinOp::Or(_) => Some(left || right),
                    _ => None,
                }
            }
            Expr::Paren(inner) => self.holds(&inner.expr),
            Expr::Group(inner) => self.holds(&inner.expr),
            _ => None,
        }
    }

    fn declaration(&self, declaration: &Declaration) -> Result<TokenStream> {
        let Declaration { attributes, visibility, fields } = declaration;
        let name = &self.name;
        let fields = fields.iter().filter_map(|field| self.field(field).transpose()).collect::<Result<Vec<_>>>()?;
        Ok(quote! {
            #(#attributes)*
            #visibility struct #name {
                #(#fields,)*
            }
        })
    }

    fn field(&self, field: &Field) -> Result<Option<Field>> {
        let mut field = field.clone();
        let mut is_there = true;
        for attribute in field.attrs.extract_if(.., |attribute| attribute.path().is_ident("given")) {
            let condition: Expr = attribute.parse_args()?;
            let reason = || Error::new_spanned(&condition, format!("a condition of facts: {} with `!`, `&&`, `||`", list(&self.known)));
            is_there &= self.holds(&condition).ok_or_else(reason)?;
        }
        Ok(is_there.then_some(field))
    }

    /// What is left of statements: of a choice between facts the part that holds, of one that has nothing to do any more nothing.
    fn resolve(&self, statements: Vec<Stmt>) -> Vec<Stmt> {
        statements.into_iter().flat_map(|statement| self.statement(statement)).collect()
    }

    fn statement(&self, statement: Stmt) -> Vec<Stmt> {
        match statement {
            Stmt::Expr(Expr::If(mut choice), end) => {
                let otherwise = choice.else_branch.take().map(|(word, e)| (word, self.statement(Stmt::Expr(*e, None))));
                let then = self.resolve(std::mem::take(&mut choice.then_branch.stmts));
                match self.holds(&choice.cond) {
                    Some(true) => then,
                    Some(false) => otherwise.map(|(_, left)| left).unwrap_or_default(),
                    None => {
                        let otherwise = otherwise.filter(|(_, left)| !left.is_empty());
                        if then.is_empty() && otherwise.is_none() {
                            return Vec::new();
                        }
                        choice.then_branch.stmts = then;
                        choice.else_branch = otherwise.map(|(word, left)| match <[Stmt; 1]>::try_from(left) {
                            Ok([Stmt::Expr(chain @ Expr::If(_), _)]) => (word, Box::new(chain)),
                            Ok(one) => (word, Box::new(syn::parse_quote!({ #(#one)* }))),
                            Err(left) => (word, Box::new(syn::parse_quote!({ #(#left)* }))),
                        });
                        vec![Stmt::Expr(Expr::If(choice), end)]
                    }
                }
            }
            Stmt::Expr(Expr::Block(block), _) => self.resolve(block.block.stmts),
            Stmt::Expr(Expr::ForLoop(mut repeat), end) => {
                let inside = std::mem::take(&mut repeat.body.stmts);
                repeat.body.stmts = self.resolve(inside);
                vec![Stmt::Expr(Expr::ForLoop(repeat), end)]
            }
            other => vec![other],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quote::quote;

    fn left(facts: TokenStream, kernel: TokenStream) -> String {
        let input = quote!([#facts] of [SENDS NUMBERS] { pub struct Top } { #[given(SENDS && !NUMBERS)] a: Bit, #[given(!SENDS)] b: Bit, c: Bit } { #kernel });
        syn::parse2::<Given>(input).and_then(expand).map_or_else(|e| format!("refused: {e}"), |tokens| tokens.to_string())
    }

    fn body(text: &str) -> String {
        let inside = text.split_once("fn update (& mut self) {").or_else(|| text.split_once("fn update (& mut self ) {"));
        inside.map_or(text, |(_, rest)| rest).trim_end_matches([' ', '}']).trim().to_string()
    }

    #[test]
    fn fields_are_there_or_not() {
        let fields = |facts| {
            let text = left(facts, quote!());
            ["a : Bit", "b : Bit", "c : Bit"].map(|field| text.contains(field))
        };
        assert_eq!(fields(quote!()), [false, true, true]);
        assert_eq!(fields(quote!(SENDS)), [true, false, true]);
        assert_eq!(fields(quote!(SENDS NUMBERS)), [false, false, true]);
    }

    #[test]
    fn statements_keep_their_order_and_what_facts_do_not_decide() {
        let kernel = || {
            quote! {
                self.x.next = 1;
                if SENDS { self.y.next = 2; } else if NUMBERS { self.y.next = 3; } else { self.y.next = 4; }
                if self.z.val() { if SENDS { self.w.next = 5; } } else if NUMBERS { self.w.next = 6; }
                for i in 0..4 { if !(SENDS || NUMBERS) { self.v[i].next = 7; } else { self.v[i].next = 8; } }
            }
        };
        let expected = |statements: TokenStream| statements.to_string();
        let of = |facts| body(&left(facts, kernel()));
        assert_eq!(
            of(quote!()),
            expected(quote!(self.x.next = 1; self.y.next = 4; for i in 0..4 { self.v[i].next = 7; })).trim_end_matches([' ', '}'])
        );
        let sends = quote!(self.x.next = 1; self.y.next = 2; if self.z.val() { self.w.next = 5; } for i in 0..4 { self.v[i].next = 8; });
        assert_eq!(of(quote!(SENDS)), expected(sends).trim_end_matches([' ', '}']));
        let numbers =
            quote!(self.x.next = 1; self.y.next = 3; if self.z.val() {} else { self.w.next = 6; } for i in 0..4 { self.v[i].next = 8; });
        assert_eq!(of(quote!(NUMBERS)), expected(numbers).trim_end_matches([' ', '}']));
    }

    #[test]
    fn a_declared_block_gets_its_kernel_alone() {
        let input = quote!([NUMBERS] of [SENDS NUMBERS] Top { self.x.next = 1; if SENDS { self.y.next = 2; } } { self.z.next = 3; });
        let text = syn::parse2::<Given>(input).and_then(expand).unwrap().to_string();
        assert!(text.starts_with("impl Logic for Top {"), "{text}");
        assert_eq!(body(&text), quote!(self.x.next = 1; self.z.next = 3;).to_string());
    }

    #[test]
    fn what_is_no_fact_is_refused() {
        let text = left(quote!(SEND), quote!());
        assert!(text.contains("no fact: `SEND`; there are `SENDS`, `NUMBERS`"), "{text}");
        let input = quote!([] of [SENDS] { pub struct Top } { #[given(SENDS == 1)] a: Bit } {});
        let text = syn::parse2::<Given>(input).and_then(expand).unwrap_err().to_string();
        assert!(text.contains("a condition of facts: `SENDS`"), "{text}");
    }
}
