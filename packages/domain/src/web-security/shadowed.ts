import type { SecurityExpression } from '@fairway/contract'

type Rule = { id: string; enabled: boolean; expression: SecurityExpression | null; ends: boolean }

/**
 * For each rule of a list, the one before it that takes every request it is about; only what can be told for sure: a
 * rule about everything, or about the same or more.
 */
export function shadowedBy(rules: readonly Rule[]): Map<string, string> {
  const found = new Map<string, string>()
  const before: Rule[] = []
  for (const rule of rules) {
    const taker = before.find((one) => takesAll(one.expression, rule.expression))
    if (taker) found.set(rule.id, taker.id)
    if (rule.enabled && rule.ends) before.push(rule)
  }
  return found
}

/** Whether whatever fits `inner` surely fits `outer`. */
function takesAll(outer: SecurityExpression | null, inner: SecurityExpression | null): boolean {
  if (outer === null) return true
  if (inner === null) return false
  const same = (a: SecurityExpression, b: SecurityExpression) => JSON.stringify(a) === JSON.stringify(b)
  if (same(outer, inner)) return true
  if ('any' in inner) return inner.any.every((part) => takesAll(outer, part))
  if ('all' in outer) return outer.all.every((part) => takesAll(part, inner))
  if ('any' in outer && outer.any.some((part) => takesAll(part, inner))) return true
  if ('all' in inner) return inner.all.some((part) => takesAll(outer, part))
  if ('any' in outer || outer.negate || inner.negate) return false
  if (outer.field !== inner.field || outer.name !== inner.name || outer.ignoreCase !== inner.ignoreCase) return false
  return takesValues(outer, inner)
}

function takesValues(
  outer: Extract<SecurityExpression, { field: string }>,
  inner: Extract<SecurityExpression, { field: string }>,
): boolean {
  if (outer.operator === 'exists') return true
  const whole = inner.operator === 'equals' || inner.operator === 'in'
  const [part = ''] = outer.values
  if (outer.operator === 'equals' || outer.operator === 'in')
    return whole && inner.values.every((value) => outer.values.includes(value))
  const [known = ''] = inner.values
  if (outer.operator === 'contains')
    return (
      (whole ? inner.values : ['contains', 'starts-with', 'ends-with'].includes(inner.operator) ? [known] : []).every(
        (value) => value.includes(part),
      ) &&
      (whole || inner.operator === 'contains' || inner.operator === 'starts-with' || inner.operator === 'ends-with')
    )
  if (outer.operator === 'starts-with')
    return (whole || inner.operator === 'starts-with') && inner.values.every((value) => value.startsWith(part))
  if (outer.operator === 'ends-with')
    return (whole || inner.operator === 'ends-with') && inner.values.every((value) => value.endsWith(part))
  return false
}
