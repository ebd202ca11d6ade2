import {
  SECURITY_FIELDS,
  type ExpressionProblem,
  type SecurityCondition,
  type SecurityExpression,
} from '@fairway/contract'
import { parseCidr } from '../steering/cidr.ts'
import { plainNumber } from './bytes.ts'
import { isPattern, parsePattern } from './parse-pattern.ts'
import { type Allowance, isSmall, OF_EXPRESSION } from './pattern-size.ts'

/** As many conditions as one expression may have, however it is nested. */
const CONDITIONS_MOST = 200

/** What is wrong with an expression and where, as paths into its form. Empty when it can be compiled. */
export function expressionProblems(expression: SecurityExpression, path = 'expression'): ExpressionProblem[] {
  if (conditionsOf(expression) > CONDITIONS_MOST) return [{ path, message: 'validation.expressionTooLarge', column: 0 }]
  return problemsOf(expression, path, { left: OF_EXPRESSION })
}

export function conditionsOf(expression: SecurityExpression): number {
  const parts = 'all' in expression ? expression.all : 'any' in expression ? expression.any : null
  return parts === null ? 1 : parts.reduce((sum, part) => sum + conditionsOf(part), 0)
}

function problemsOf(expression: SecurityExpression, path: string, allowance: Allowance): ExpressionProblem[] {
  if ('all' in expression) return expression.all.flatMap((part, i) => problemsOf(part, `${path}.all.${i}`, allowance))
  if ('any' in expression) return expression.any.flatMap((part, i) => problemsOf(part, `${path}.any.${i}`, allowance))
  return problemsOfCondition(expression, allowance).map((problem) => ({ ...problem, path: `${path}${problem.path}` }))
}

function problemsOfCondition(condition: SecurityCondition, allowance: Allowance): ExpressionProblem[] {
  const { field, name, operator, values } = condition
  const { kind, named } = SECURITY_FIELDS[field]
  const wrong = (path: string, message: string, column = 0) => [{ path, message, column }]
  if (named ? name === '' : name !== '') return wrong('.name', named ? 'validation.required' : 'validation.noName')
  if (field === 'header' && !/^[!#$%&'*+.^_`|~\w-]+$/.test(name)) return wrong('.name', 'validation.headerName')
  if (!OPERATORS[named ? 'named' : kind].has(operator)) return wrong('.operator', 'validation.operator')
  if (operator === 'exists') return values.length > 0 ? wrong('.values', 'validation.noValue') : []
  if (values.length === 0) return wrong('.values', 'validation.required')
  if (values.length > 1 && operator !== 'in' && operator !== 'in-cidr') return wrong('.values', 'validation.oneValue')
  return values.flatMap((value, i) =>
    problemOfValue(condition, kind, value, allowance).map((one) => ({ ...one, path: `.values.${i}` })),
  )
}

function problemOfValue(
  { operator, ignoreCase }: SecurityCondition,
  kind: 'address' | 'text' | 'number',
  value: string,
  allowance: Allowance,
): Omit<ExpressionProblem, 'path'>[] {
  const wrong = (message: string, column = 0) => [{ message, column }]
  if (operator === 'matches') {
    const pattern = parsePattern(value, ignoreCase)
    if (!isPattern(pattern)) return wrong(pattern.message, pattern.column)
    return isSmall(pattern, allowance) ? [] : wrong('validation.patternStates')
  }
  if (operator === 'in-cidr' || kind === 'address') return parseCidr(value) === null ? wrong('validation.cidr') : []
  if (NUMERIC.has(operator)) return plainNumber(value) === undefined ? wrong('validation.number') : []
  // A part of nothing is in everything.
  return value === '' && operator !== 'equals' && operator !== 'in' ? wrong('validation.required') : []
}

const NUMERIC: ReadonlySet<string> = new Set(['less', 'at-most', 'greater', 'at-least'])
const TEXT = ['equals', 'in', 'contains', 'starts-with', 'ends-with', 'matches', 'exists']
/** What may be asked of a field, by its kind; what has a name may hold anything. */
const OPERATORS: Record<'address' | 'text' | 'number' | 'named', ReadonlySet<string>> = {
  address: new Set(['equals', 'in', 'in-cidr']),
  text: new Set(TEXT),
  number: new Set(['equals', 'in', ...NUMERIC]),
  named: new Set([...TEXT, ...NUMERIC, 'in-cidr']),
}
/** Operators that a field takes, for whoever offers them. */
export const operatorsOf = (field: keyof typeof SECURITY_FIELDS): ReadonlySet<string> =>
  OPERATORS[SECURITY_FIELDS[field].named ? 'named' : SECURITY_FIELDS[field].kind]
