//! Widths agree, names resolve.

use super::{Binary, Connected, Design, Expr, ExprKind, Module, Process, Statement};

impl Design {
    /// Whether the text that would be written means what the design says: widths of operands, targets and ports agree.
    ///
    /// [`crate::elaborate`] gives only designs that pass. After an edit, call it again.
    /// Errors: the first disagreement, with module and expression.
    pub fn check(&self) -> Result<(), String> {
        for module in &self.modules {
            let fail = |what: String| Err(format!("module {}: {what}", module.name));
            for process in &module.processes {
                for expr in process.expressions() {
                    if let Err(e) = widths(module, expr) {
                        return fail(e);
                    }
                }
                let body: &[Statement] = match process {
                    Process::Assign { target, value } => {
                        if module.signal(*target).width != value.width {
                            return fail(format!("{}: {} bits are assigned", module.signal(*target).name, value.width));
                        }
                        &[]
                    }
                    Process::Combinational { body, .. } | Process::Clocked { body, .. } => body,
                };
                if let Err(e) = targets(module, body) {
                    return fail(e);
                }
                if let Process::Clocked { reset: Some((condition, values)), .. } = process {
                    if condition.width != 1 {
                        return fail(format!("reset condition of {} bits", condition.width));
                    }
                    if let Err(e) = targets(module, values) {
                        return fail(e);
                    }
                }
            }
            for instance in &module.instances {
                let Some(child) = self.module(&instance.module) else {
                    return fail(format!("instance {}: there is no module {}", instance.name, instance.module));
                };
                for connection in &instance.connections {
                    let width = match &connection.value {
                        Connected::Input(value) => widths(module, value).map(|()| value.width),
                        Connected::Output(id) => Ok(module.signal(*id).width),
                    };
                    let expected = child.find(&connection.port).map(|id| child.signal(id).width);
                    if width.clone().ok() != expected {
                        return fail(format!("instance {}, port {}: {width:?} bits for {expected:?}", instance.name, connection.port));
                    }
                }
            }
        }
        Ok(())
    }
}

fn targets(module: &Module, block: &[Statement]) -> Result<(), String> {
    for statement in block {
        match statement {
            Statement::Assign { target, low, value } => {
                let signal = module.signal(*target);
                let fits = match low {
                    None => value.width == signal.width,
                    Some(low) => low + value.width <= signal.width,
                };
                if !fits {
                    return Err(format!("{} bits are assigned to {} of {} bits", value.width, signal.name, signal.width));
                }
            }
            Statement::If { condition, .. } if condition.width != 1 => return Err(format!("condition of {} bits", condition.width)),
            Statement::Case { value, arms, .. } if arms.iter().any(|a| a.pattern.width != value.width) => {
                return Err(format!("case over {} bits with a pattern of another width", value.width));
            }
            _ => {}
        }
        for inner in statement.blocks() {
            targets(module, inner)?;
        }
    }
    Ok(())
}

fn widths(module: &Module, expr: &Expr) -> Result<(), String> {
    use ExprKind::*;
    let w = expr.width;
    let right = w > 0
        && match &expr.kind {
            Literal(v) => v.bits() <= w as u64,
            Constant(i) => module.constants.get(*i).is_some_and(|c| c.width == w),
            Signal(id) => module.signals.get(id.0).is_some_and(|s| s.width == w),
            Not(a) | Negate(a) => a.width == w,
            Reduce(_, _) => w == 1,
            Binary(op, a, b) => {
                let logical = matches!(op, self::Binary::LogicalAnd | self::Binary::LogicalOr);
                a.width == w && b.width == w && (!logical || w == 1)
            }
            Compare(_, a, b) => w == 1 && a.width == b.width,
            Shift(_, a, _) => a.width == w,
            Slice(a, low) => low + w <= a.width,
            SliceAt(_, _) => true,
            Bit(_, _) => w == 1,
            ReplaceBit(a, _, b) => a.width == w && b.width == 1,
            Concat(parts) => parts.iter().map(|p| p.width).sum::<usize>() == w,
            ZeroExtend(a) | SignExtend(a) => a.width < w,
            Mux(c, a, b) => c.width == 1 && a.width == w && b.width == w,
        };
    if !right {
        return Err(format!("widths do not agree in {expr:?}"));
    }
    expr.operands().into_iter().try_for_each(|e| widths(module, e))
}
