//! Values put together from fields: `zero_extend(a) | zero_extend(b) << 4` is `{b, a}`.

use super::{Expr, ExprKind};

/// A part and the position of its lowest bit; every other bit is zero.
pub type Fields = Vec<(usize, Expr)>;

/// The fields that `expr` consists of, lowest first, if it has zeros by construction.
pub fn fields(expr: &Expr) -> Option<Fields> {
    match &expr.kind {
        ExprKind::ZeroExtend(inner) => Some(fields(inner).unwrap_or_else(|| vec![(0, (**inner).clone())])),
        ExprKind::Concat(parts) => {
            let mut low = 0;
            let mut found = Vec::new();
            for part in parts.iter().rev() {
                if !part.is_literal(0) {
                    found.push((low, part.clone()));
                }
                low += part.width;
            }
            Some(found)
        }
        _ => None,
    }
}

/// The fields moved up by `by` bits in `width` bits; what leaves is lost.
pub fn moved(fields: Fields, by: usize, width: usize) -> Fields {
    let inside = |(low, part): (usize, Expr)| {
        let low = low + by;
        (low < width).then(|| {
            let kept = part.width.min(width - low);
            (low, part.slice(0, kept))
        })
    };
    fields.into_iter().filter_map(inside).collect()
}

/// Both together, if no bit belongs to both.
pub fn merged(left: Fields, right: Fields) -> Option<Fields> {
    let mut all = left;
    all.extend(right);
    all.sort_by_key(|(low, _)| *low);
    let apart = all.windows(2).all(|pair| pair[0].0 + pair[0].1.width <= pair[1].0);
    apart.then_some(all)
}

/// One value of `width` bits.
pub fn joined(fields: Fields, width: usize) -> Expr {
    let mut parts = Vec::new();
    let mut end = 0;
    for (low, part) in fields {
        if low > end {
            parts.push(Expr::literal(low - end, 0u8));
        }
        end = low + part.width;
        parts.push(part);
    }
    if end < width {
        parts.push(Expr::literal(width - end, 0u8));
    }
    parts.reverse();
    match parts.as_slice() {
        [one] => one.clone(),
        [zeros, one] if zeros.is_literal(0) => one.clone().zero_extend(width),
        _ => Expr { width, kind: ExprKind::Concat(parts) },
    }
}
