//! `#[kernel]`: the function that a block runs, and the same as a syntax tree.
//!
//! The tree is one string, which `rdma_rtl_hdl::kernel` turns into rust-hdl's tree when a design is described: as code that builds it node
//! by node, the trees would be most of what a build compiles. The string is the tree in prefix order, one word a node or an argument:
//!
//! | word | arguments |
//! | --- | --- |
//! | `=` | signal, value |
//! | `[` | signal, width, offset, value: assignment of a part |
//! | `?` | condition, block, then `.` or `{` block or `?` ...: if |
//! | `m` | value, number of arms, each a pattern and a block |
//! | `l` | variable, from, to, block: a loop |
//! | `k` | position in the list of links |
//! | `g` | position in the list of links, condition for those that are gated |
//! | `p` | block: what a macro stands for |
//! | `c` | position in the list of parts: a function of the same block that is a kernel too |
//! | `$` | signal, constant, loop variable |
//! | `#` | literal: a number with the suffix of its type, if it has one, or `true` or `false`; or `@` |
//! | `(`, `!`, `-`, `all`, `any`, `xor`, `signed`, `unsigned` | operand |
//! | `+` ... | left, right |
//! | `cast` | width, operand |
//! | `slice` | width, operand, offset |
//! | `bit` | operand, position |
//! | `put` | operand, position, bit |
//!
//! A block is the number of its statements and the statements. A number that the compiler knows and the macro does not is `@` and a
//! position in the list of numbers.

mod said;
#[cfg(test)]
mod tests;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use said::Said;
use std::collections::{BTreeMap, BTreeSet};
use syn::parse::{Parse, ParseStream};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{BinOp, Block, Error, Expr, ExprAssign, ExprCall, ExprForLoop, ExprIf, ExprMatch, ExprMethodCall, ItemFn, Lit, Macro, Member};
use syn::{Pat, RangeLimits, Result, Stmt, Token, UnOp};

/// What a statement may be.
const KNOWN: &str = "a kernel has assignments, `if`, `match`, `for`, links, parts (`self.part()`) and `dff_setup!`, not this";

/// The kernel of a block is its `update`; any other function is a part that the kernel calls.
const WHOLE: &str = "update";

pub fn expand(function: &ItemFn) -> Result<TokenStream> {
    let mut tree = Tree::default();
    tree.block(&function.block)?;
    let mut constants = Constants::default();
    constants.visit_block(&function.block);
    let mut driven = Driven::default();
    let connect = driven.block(&function.block, "");
    let Tree { text, numbers, links, parts, .. } = tree;
    let text = text.trim_end();
    let (names, values): (Vec<_>, Vec<_>) = constants.0.into_iter().unzip();
    let mut said = Said::default();
    let always = said.block(&function.block);
    let (assigned, always) = (said.assigned.iter(), always.iter());
    let tree = quote! {
        ::rdma_rtl_hdl::kernel::Kernel {
            assigned: &[#(#assigned),*],
            always: &[#(#always),*],
            text: #text,
            constants: vec![#((#names, #values as u64)),*],
            numbers: vec![#(#numbers),*],
            links: vec![#(#links),*],
            parts: vec![#(#parts),*],
        }
    };
    let mut function = function.clone();
    let name = function.sig.ident.clone();
    let whole = name == WHOLE;
    if whole {
        let statements = std::mem::take(&mut function.block.stmts);
        function.block = syn::parse_quote!({
            ::rdma_rtl_hdl::wiring::Owner::before(self);
            #(#statements)*
            ::rdma_rtl_hdl::wiring::Owner::after(self);
        });
    }
    // What only describes itself has no use for code that runs.
    let mut described = function.clone();
    described.block = syn::parse_quote!({});
    let about = if whole {
        quote! {
            #[allow(unused_variables)]
            #[automatically_derived]
            fn connect(&mut self) {
                ::rdma_rtl_hdl::wiring::Owner::claim_parts(self);
                #(#connect)*
            }

            #[automatically_derived]
            fn hdl(&self) -> ::rust_hdl::prelude::Verilog {
                ::rdma_rtl_hdl::kernel::verilog(self, #tree)
            }
        }
    } else {
        let (visibility, drives, written) = (&function.vis, part_drives(&name), part_written(&name));
        quote! {
            #[allow(unused_variables)]
            #visibility fn #drives(&mut self) {
                #(#connect)*
            }

            #visibility fn #written(&self) -> ::rdma_rtl_hdl::kernel::Kernel {
                #tree
            }
        }
    };
    Ok(quote! {
        #[cfg(not(rdma_rtl_describe))]
        #[allow(unreachable_patterns)]
        #function

        #[cfg(rdma_rtl_describe)]
        #[allow(dead_code)]
        #described

        #about
    })
}

/// The function that claims what a part drives.
fn part_drives(part: &Ident) -> Ident {
    format_ident!("{part}_drives")
}

/// The function that has a part's tree.
fn part_written(part: &Ident) -> Ident {
    format_ident!("{part}_written")
}

/// `self.part()`: the part.
fn part_of(call: &ExprMethodCall) -> Option<&Ident> {
    let own = matches!(&*call.receiver, Expr::Path(path) if path.path.is_ident("self"));
    (own && call.args.is_empty() && call.turbofish.is_none()).then_some(&call.method)
}

/// The text of a place as the tree has it: `self.row[i].q` is `row[i]$q`.
fn place(tokens: &impl ToTokens) -> String {
    let text: String = tokens.to_token_stream().to_string().split_whitespace().collect();
    text.replace("&mut", "").replace("self.", "").replace("::", "$").replace('.', "$")
}

/// Constants that stand in expressions by their name: const generics, and those of the module.
#[derive(Default)]
struct Constants(BTreeMap<String, Ident>);

impl<'ast> Visit<'ast> for Constants {
    fn visit_expr_path(&mut self, path: &'ast syn::ExprPath) {
        if let Some(ident) = path.path.get_ident() {
            let name = ident.to_string();
            if name.starts_with(|c: char| c.is_ascii_uppercase()) && !name.contains(|c: char| c.is_ascii_lowercase()) {
                self.0.insert(name, ident.clone());
            }
        }
    }
}

/// `self, clock, register, ...`
struct Setup {
    clock: Expr,
    registers: Vec<Expr>,
}

impl Parse for Setup {
    fn parse(input: ParseStream) -> Result<Self> {
        input.parse::<Token![self]>()?;
        input.parse::<Token![,]>()?;
        let clock = input.parse()?;
        let mut registers = Vec::new();
        while input.parse::<Option<Token![,]>>()?.is_some() && !input.is_empty() {
            registers.push(input.parse()?);
        }
        Ok(Self { clock, registers })
    }
}

#[derive(Default)]
struct Tree {
    text: String,
    /// expressions of type `u64`, and their text
    numbers: Vec<TokenStream>,
    known: Vec<String>,
    /// for each bundle its links, and those that are gated
    links: Vec<TokenStream>,
    /// trees of the parts that it calls
    parts: Vec<TokenStream>,
    /// blocks around what is read
    depth: usize,
}

impl Tree {
    fn word(&mut self, word: impl AsRef<str>) {
        self.text.push_str(word.as_ref());
        self.text.push(' ');
    }

    /// A width, an offset or a bound.
    fn number(&mut self, value: &impl ToTokens, expression: TokenStream) {
        let tokens = value.to_token_stream();
        if let Ok(literal) = syn::parse2::<syn::LitInt>(tokens.clone()) {
            return self.word(literal.base10_digits());
        }
        let text = tokens.to_string();
        let slot = self.known.iter().position(|known| *known == text).unwrap_or_else(|| {
            self.known.push(text);
            self.numbers.push(expression);
            self.known.len() - 1
        });
        self.word(format!("@{slot}"));
    }

    fn plain_number(&mut self, value: &impl ToTokens) {
        self.number(value, quote!((#value) as u64));
    }

    /// What a member of a structure begins with, and how many bits it has: `get_my_offset_x`, `get_my_width_x`.
    fn member(&mut self, what: &str, base: &Expr, member: &Ident) {
        let function = format_ident!("get_my_{what}_{member}");
        let call = quote!(#base.#function());
        self.number(&call, quote!(#call as u64));
    }

    fn block(&mut self, block: &Block) -> Result<()> {
        self.word(block.stmts.len().to_string());
        self.depth += 1;
        block.stmts.iter().try_for_each(|statement| match statement {
            Stmt::Expr(e, _) => self.statement(e),
            Stmt::Macro(m) => self.setup(&m.mac),
            other => Err(Error::new(other.span(), "a kernel has no variables and no items: a value has a signal or a register")),
        })?;
        self.depth -= 1;
        Ok(())
    }

    /// An arm of a `match`: a block, or one statement.
    fn body(&mut self, body: &Expr) -> Result<()> {
        if let Expr::Block(b) = body {
            return self.block(&b.block);
        }
        self.word("1");
        self.statement(body)
    }

    fn statement(&mut self, e: &Expr) -> Result<()> {
        match e {
            Expr::Assign(a) => self.assignment(a),
            Expr::If(i) => self.conditional(i),
            Expr::Match(m) => self.matching(m),
            Expr::ForLoop(l) => self.repeated(l),
            Expr::Call(c) => self.link(c),
            Expr::MethodCall(c) => self.part(c),
            Expr::Macro(m) => self.setup(&m.mac),
            other => Err(Error::new(other.span(), KNOWN)),
        }
    }

    fn assignment(&mut self, a: &ExprAssign) -> Result<()> {
        let Expr::Field(target) = &*a.left else {
            return Err(Error::new(a.left.span(), "assign to the `next` of a signal: an element at a variable index cannot be assigned"));
        };
        let whole = place(target);
        if whole.ends_with("$val") {
            return Err(Error::new(target.span(), "assign to `next`; `val` is for reading"));
        }
        if let (Expr::Field(next), Member::Named(member)) = (&*target.base, &target.member)
            && member != "next"
            && matches!(&next.member, Member::Named(n) if n == "next")
        {
            self.word("[");
            self.word(place(&next.base));
            self.member("width", &target.base, member);
            self.word("#");
            self.member("offset", &target.base, member);
            return self.value(&a.right);
        }
        self.word("=");
        self.word(whole);
        self.value(&a.right)
    }

    fn conditional(&mut self, i: &ExprIf) -> Result<()> {
        self.word("?");
        self.value(&i.cond)?;
        self.block(&i.then_branch)?;
        match i.else_branch.as_ref().map(|(_, e)| &**e) {
            None => self.word("."),
            Some(Expr::Block(b)) => {
                self.word("{");
                self.block(&b.block)?;
            }
            Some(Expr::If(i)) => self.conditional(i)?,
            Some(other) => return Err(Error::new(other.span(), "behind `else` stands a block or an `if`")),
        }
        Ok(())
    }

    fn matching(&mut self, m: &ExprMatch) -> Result<()> {
        self.word("m");
        self.value(&m.expr)?;
        self.word(m.arms.len().to_string());
        for arm in &m.arms {
            if let Some((token, _)) = &arm.guard {
                return Err(Error::new(token.span(), "the tree has no match guards: put an `if` inside the arm"));
            }
            let pattern = match &arm.pat {
                Pat::Ident(p) => p.ident.to_string(),
                Pat::Lit(p) => p.to_token_stream().to_string(),
                Pat::Path(p) => place(p),
                Pat::Wild(_) => "default".into(),
                other => return Err(Error::new(other.span(), "an arm has a name, a literal, a path or `_`")),
            };
            self.word(pattern);
            self.body(&arm.body)?;
        }
        Ok(())
    }

    fn repeated(&mut self, l: &ExprForLoop) -> Result<()> {
        let (Pat::Ident(variable), Expr::Range(range)) = (&*l.pat, &*l.expr) else {
            return Err(Error::new(l.pat.span(), "a loop is `for i in A..B`"));
        };
        let (Some(start), Some(end), RangeLimits::HalfOpen(_)) = (&range.start, &range.end, &range.limits) else {
            return Err(Error::new(range.span(), "a loop is `for i in A..B`: write the end plus one"));
        };
        self.word("l");
        self.word(variable.ident.to_string());
        self.plain_number(start);
        self.plain_number(end);
        self.block(&l.body)
    }

    /// `Type::link(&mut self.a, &mut self.b)`, or `join`; `Type::gate(&mut self.a, &mut self.b, condition)`.
    fn link(&mut self, call: &ExprCall) -> Result<()> {
        let wrong = || {
            let known = "a statement is `Type::link(&mut self.a, &mut self.b)`, `Type::join(...)` or `Type::gate(..., condition)`";
            Error::new(call.span(), known)
        };
        let Expr::Path(path) = &*call.func else { return Err(wrong()) };
        let Some(operation) = path.path.segments.last().map(|s| s.ident.to_string()) else { return Err(wrong()) };
        let arguments = match operation.as_str() {
            "link" | "join" => 2,
            "gate" => 3,
            _ => return Err(wrong()),
        };
        if call.args.len() != arguments {
            return Err(wrong());
        }
        let (Expr::Reference(first), left, right) = (&call.args[0], place(&call.args[0]), place(&call.args[1])) else {
            return Err(wrong());
        };
        let (first, operation) = (&first.expr, format_ident!("{operation}"));
        self.word(if arguments == 3 { "g" } else { "k" });
        self.word(self.links.len().to_string());
        self.links.push(if operation == "join" && path.path.segments.iter().any(|s| s.ident == "Signal") {
            // A signal alone: its `join_hdl` is its own, and the one of the trait is empty.
            let mut own = path.path.clone();
            own.segments.last_mut().into_iter().for_each(|s| s.ident = format_ident!("join_hdl"));
            quote!((#own("", #left, #right), &[]))
        } else {
            quote!(::rdma_rtl_hdl::kernel::#operation(&#first, #left, #right))
        });
        match call.args.get(2) {
            Some(condition) => self.value(condition),
            None => Ok(()),
        }
    }

    /// `self.part();`
    fn part(&mut self, call: &ExprMethodCall) -> Result<()> {
        let part = part_of(call).ok_or_else(|| Error::new(call.span(), KNOWN))?;
        if self.depth > 1 {
            return Err(Error::new(call.span(), "a part of a kernel is called under no condition and in no loop: put them into the part"));
        }
        self.word("c");
        self.word(self.parts.len().to_string());
        let written = part_written(part);
        self.parts.push(quote!(self.#written()));
        Ok(())
    }

    fn setup(&mut self, m: &Macro) -> Result<()> {
        if !m.path.is_ident("dff_setup") {
            return Err(Error::new(m.span(), "a kernel knows one macro, `dff_setup!(self, clk, register, ...)`"));
        }
        let Setup { clock, registers } = m.parse_body()?;
        let (clock, registers) = (place(&clock), registers.iter().map(place).collect::<Vec<_>>());
        self.word("p");
        self.word((2 * registers.len()).to_string());
        for register in &registers {
            self.word(format!("= {register}$clock$next $ {clock}"));
        }
        for register in &registers {
            self.word(format!("= {register}$d$next $ {register}$q"));
        }
        Ok(())
    }

    fn value(&mut self, e: &Expr) -> Result<()> {
        match e {
            Expr::Path(_) | Expr::Index(_) => self.read(e),
            Expr::Field(f) => {
                let is_value = place(&f.base).ends_with("val()");
                match &f.member {
                    Member::Named(member) if is_value => {
                        self.word("slice");
                        self.member("width", &f.base, member);
                        self.value(&f.base)?;
                        self.word("#");
                        self.member("offset", &f.base, member);
                        Ok(())
                    }
                    _ => self.read(e),
                }
            }
            Expr::Paren(p) => self.operation("(", [&p.expr]),
            Expr::Binary(b) => {
                let operator = match &b.op {
                    BinOp::Sub(_) => "-2",
                    BinOp::Add(_) => "+",
                    BinOp::Mul(_) => "*",
                    BinOp::And(_) => "&&",
                    BinOp::Or(_) => "||",
                    BinOp::BitXor(_) => "^",
                    BinOp::BitAnd(_) => "&",
                    BinOp::BitOr(_) => "|",
                    BinOp::Shl(_) => "<<",
                    BinOp::Shr(_) => ">>",
                    BinOp::Eq(_) => "==",
                    BinOp::Lt(_) => "<",
                    BinOp::Le(_) => "<=",
                    BinOp::Ne(_) => "!=",
                    BinOp::Ge(_) => ">=",
                    BinOp::Gt(_) => ">",
                    other => return Err(Error::new(other.span(), "this operator is none of hardware")),
                };
                self.operation(operator, [&b.left, &b.right])
            }
            Expr::Unary(u) => match &u.op {
                UnOp::Not(_) => self.operation("!", [&u.expr]),
                UnOp::Neg(_) => self.operation("-", [&u.expr]),
                other => Err(Error::new(other.span(), "this operator is none of hardware")),
            },
            Expr::Lit(l) => {
                let literal = match &l.lit {
                    Lit::Bool(b) => b.value.to_string(),
                    Lit::Int(i) => format!("{}{}", i.base10_digits(), i.suffix()),
                    other => return Err(Error::new(other.span(), "a literal is a number or a truth value")),
                };
                self.word("#");
                self.word(literal);
                Ok(())
            }
            Expr::Call(c) => self.cast(c),
            Expr::MethodCall(m) => self.method(m),
            other => Err(Error::new(other.span(), "a kernel has no such expression")),
        }
    }

    fn operation<const N: usize>(&mut self, operator: &str, operands: [&Expr; N]) -> Result<()> {
        self.word(operator);
        operands.into_iter().try_for_each(|operand| self.value(operand))
    }

    fn read(&mut self, e: &Expr) -> Result<()> {
        let name = place(e);
        if name.ends_with("$next") {
            return Err(Error::new(e.span(), "read `val()`; `next` is for assigning"));
        }
        self.word("$");
        self.word(name);
        Ok(())
    }

    fn cast(&mut self, c: &ExprCall) -> Result<()> {
        let wrong = || {
            let known = "a kernel calls no functions but bits, bit_cast, signed_cast, signed_bit_cast and unsigned_cast";
            Error::new(c.func.span(), known)
        };
        let Expr::Path(path) = &*c.func else { return Err(wrong()) };
        let (Some(function), Some(operand), 1) = (path.path.segments.last(), c.args.first(), path.path.segments.len()) else {
            return Err(wrong());
        };
        match function.ident.to_string().as_str() {
            "bits" | "bit_cast" => {
                self.word("cast");
                match &function.arguments {
                    syn::PathArguments::AngleBracketed(a) if !a.args.is_empty() => self.plain_number(&a.args[0]),
                    _ => self.number(c, quote!((#c).bits() as u64)),
                }
            }
            "unsigned_cast" => self.word("unsigned"),
            "signed_cast" | "signed_bit_cast" => self.word("signed"),
            _ => return Err(wrong()),
        }
        self.value(operand)
    }

    fn method(&mut self, m: &ExprMethodCall) -> Result<()> {
        let name = m.method.to_string();
        let arguments = match name.as_str() {
            "get_bits" | "get_bit" => 1,
            "replace_bit" => 2,
            "val" | "index" | "all" | "any" | "xor" | "into" | "to_bits" | "to_signed_bits" => 0,
            _ => return Err(Error::new(m.method.span(), format!("a kernel knows no method `{name}`"))),
        };
        if m.args.len() != arguments {
            return Err(Error::new(m.span(), format!("`{name}` has {arguments} arguments")));
        }
        match name.as_str() {
            "get_bits" => {
                let width = m.turbofish.as_ref().and_then(|t| t.args.first());
                let width = width.ok_or_else(|| Error::new(m.span(), "say how many bits: `get_bits::<8>(position)`"))?;
                self.word("slice");
                self.plain_number(width);
                self.value(&m.receiver)?;
                self.value(&m.args[0])
            }
            "get_bit" => self.operation("bit", [&m.receiver, &m.args[0]]),
            "replace_bit" => self.operation("put", [&m.receiver, &m.args[0], &m.args[1]]),
            "all" | "any" | "xor" => self.operation(&name, [&m.receiver]),
            "to_signed_bits" => self.operation("signed", [&m.receiver]),
            _ => self.value(&m.receiver),
        }
    }
}

/// What a kernel drives, for rust-hdl's check that everything is driven: each place once.
#[derive(Default)]
struct Driven(BTreeSet<String>);

impl Driven {
    fn block(&mut self, block: &Block, within: &str) -> Vec<TokenStream> {
        let statement = |statement: &Stmt| match statement {
            Stmt::Expr(e, _) => self.statement(e, within),
            Stmt::Macro(m) => self.setup(&m.mac, within),
            _ => Vec::new(),
        };
        block.stmts.iter().flat_map(statement).collect()
    }

    /// `within`: the loops around it.
    fn statement(&mut self, e: &Expr, within: &str) -> Vec<TokenStream> {
        match e {
            Expr::Assign(a) => next_of(&a.left).map(|signal| self.drive(quote!(#signal), within)).unwrap_or_default(),
            Expr::Block(b) => self.block(&b.block, within),
            Expr::If(i) => {
                let mut found = self.block(&i.then_branch, within);
                found.extend(i.else_branch.iter().flat_map(|(_, e)| self.statement(e, within)));
                found
            }
            Expr::Match(m) => m.arms.iter().flat_map(|arm| self.statement(&arm.body, within)).collect(),
            Expr::ForLoop(l) => {
                let (variable, range) = (&l.pat, &l.expr);
                let inside = format!("{within} {}", quote!(#variable in #range));
                let body = self.block(&l.body, &inside);
                if body.is_empty() { Vec::new() } else { vec![quote!(for #variable in #range { #(#body)* })] }
            }
            Expr::Macro(m) => self.setup(&m.mac, within),
            Expr::MethodCall(c) => part_of(c).map(part_drives).map(|drives| quote!(self.#drives();)).into_iter().collect(),
            Expr::Call(c) if c.args.len() >= 2 => {
                let (a, b) = (&c.args[0], &c.args[1]);
                let function = if place(&c.func).ends_with("join") { "join" } else { "link" };
                let function = format_ident!("logic_connect_{function}_fn");
                vec![quote!(::rust_hdl::prelude::logic::#function(#a, #b);)]
            }
            _ => Vec::new(),
        }
    }

    fn setup(&mut self, m: &Macro, within: &str) -> Vec<TokenStream> {
        let Ok(Setup { registers, .. }) = m.parse_body() else { return Vec::new() };
        let both = |r: &Expr| [quote!(self.#r.clock), quote!(self.#r.d)];
        registers.iter().flat_map(both).flat_map(|signal| self.drive(signal, within)).collect()
    }

    fn drive(&mut self, signal: TokenStream, within: &str) -> Vec<TokenStream> {
        let new = self.0.insert(format!("{within} {signal}"));
        if new { vec![quote!(::rust_hdl::prelude::Logic::connect(&mut #signal);)] } else { Vec::new() }
    }
}

fn next_of(e: &Expr) -> Option<&Expr> {
    let Expr::Field(field) = e else { return None };
    match &field.member {
        Member::Named(name) if name == "next" => Some(&field.base),
        _ => next_of(&field.base),
    }
}
