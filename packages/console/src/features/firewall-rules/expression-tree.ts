import { SECURITY_FIELDS, SecurityOperator } from '@fairway/contract'
import type { SecurityCondition, SecurityExpression, SecurityField } from '@fairway/contract'
import { operatorsOf } from '@fairway/domain'

/** All of, or any of, as the form holds it: at the top it may be empty, which is every request. */
export type Group = { kind: 'all' | 'any'; items: Item[] }
export type Item = SecurityCondition | Group

/** How deep the contract lets groups lie in each other. */
export const DEEPEST = 4

export const isGroup = (item: Item): item is Group => 'kind' in item

export const newCondition = (): SecurityCondition => ({
  field: 'path',
  name: '',
  operator: 'starts-with',
  negate: false,
  ignoreCase: false,
  values: [''],
})

function itemOf(expression: SecurityExpression): Item {
  if ('all' in expression) return { kind: 'all', items: expression.all.map(itemOf) }
  if ('any' in expression) return { kind: 'any', items: expression.any.map(itemOf) }
  return expression
}

/** An expression as the form shows it: a single condition stands in a group of its own. */
export function groupOf(expression: SecurityExpression | null): Group {
  if (expression === null) return { kind: 'all', items: [] }
  const item = itemOf(expression)
  return isGroup(item) ? item : { kind: 'all', items: [item] }
}

function expressionOfItem(item: Item): SecurityExpression {
  if (!isGroup(item)) return item
  const items = item.items.map(expressionOfItem)
  return item.kind === 'all' ? { all: items } : { any: items }
}

/** What the API is given: nothing is every request, and a group of one condition is that condition. */
export function expressionOf(group: Group): SecurityExpression | null {
  const [only, ...others] = group.items
  if (only === undefined) return null
  return others.length === 0 && !isGroup(only) ? only : expressionOfItem(group)
}

/** Operators that a field takes, in the order in which they are offered. */
export const operatorsFor = (field: SecurityField): SecurityOperator[] =>
  SecurityOperator.options.filter((operator) => operatorsOf(field).has(operator))

/** The condition about another field: an operator that it does not have gives way to the first that it has. */
export function withField(condition: SecurityCondition, field: SecurityField): SecurityCondition {
  const operators = operatorsFor(field)
  const operator = operators.includes(condition.operator) ? condition.operator : (operators[0] ?? 'equals')
  return withOperator({ ...condition, field, name: SECURITY_FIELDS[field].named ? condition.name : '' }, operator)
}

/** The condition with another operator, and as many values as that takes. */
export function withOperator(condition: SecurityCondition, operator: SecurityOperator): SecurityCondition {
  if (operator === 'exists') return { ...condition, operator, values: [] }
  if (operator === 'in' || operator === 'in-cidr')
    return { ...condition, operator, values: condition.values.filter((value) => value !== '') }
  return { ...condition, operator, values: [condition.values[0] ?? ''] }
}
