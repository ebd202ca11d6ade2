import {
  SECURITY_FIELDS,
  SECURITY_FIELD_NAMES,
  SecurityOperator,
  type SecurityCondition,
  type SecurityExpression,
  type SecurityField,
} from '@fairway/contract'

/** A text that is no expression: why, and at which of its characters, counted from 1. */
export type TextProblem = { message: string; column: number }

const SYMBOLS: Partial<Record<SecurityOperator, string>> = {
  equals: '=',
  less: '<',
  'at-most': '<=',
  greater: '>',
  'at-least': '>=',
  matches: '~',
}
const DEPTH_MOST = 4

/** An expression as text: `path starts-with "/admin" and country not in {"TW", "JP"}`. */
export function expressionText(expression: SecurityExpression): string {
  if ('all' in expression) return expression.all.map(inner).join(' and ')
  if ('any' in expression) return expression.any.map(inner).join(' or ')
  return conditionText(expression)
}

const inner = (expression: SecurityExpression): string =>
  'field' in expression ? conditionText(expression) : `(${expressionText(expression)})`

function conditionText({ field, name, operator, negate, ignoreCase, values }: SecurityCondition): string {
  const asked = SECURITY_FIELDS[field].named ? `${field}[${quoted(name)}]` : field
  const subject = ignoreCase ? `lower(${asked})` : asked
  const word = `${negate ? 'not ' : ''}${SYMBOLS[operator] ?? operator}`
  if (operator === 'exists') return `${subject} ${word}`
  const several = operator === 'in' || operator === 'in-cidr' || values.length !== 1
  const texts = values.map((value) => (BARE.has(operator) && /^[0-9A-Fa-f.:/]+$/.test(value) ? value : quoted(value)))
  return `${subject} ${word} ${several ? `{${texts.join(', ')}}` : (texts[0] ?? '')}`
}

/** Operators whose values need no quotes. */
const BARE: ReadonlySet<string> = new Set(['in-cidr', 'less', 'at-most', 'greater', 'at-least'])
const quoted = (text: string): string => `"${text.replaceAll(/["\\]/g, '\\$&')}"`

type Token = { kind: 'word' | 'text' | 'sign' | 'end'; text: string; at: number }

class Wrong extends Error {
  readonly column: number
  constructor(message: string, at: number) {
    super(message)
    this.column = at + 1
  }
}

/**
 * Reads an expression. `and` goes before `or`, `not` before both; a negated group is turned into its parts negated.
 * What values mean is asked of `expressionProblems`.
 */
export function parseExpression(text: string): SecurityExpression | TextProblem {
  try {
    return new Parser(tokensOf(text)).whole()
  } catch (error) {
    if (error instanceof Wrong) return { message: error.message, column: error.column }
    throw error
  }
}

export const isExpression = (one: SecurityExpression | TextProblem): one is SecurityExpression => !('message' in one)

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at, at + 2000)
    const blank = /^\s+/.exec(rest)?.[0]
    if (blank !== undefined) {
      at += blank.length
      continue
    }
    const sign = /^(?:<=|>=|!=|[(){}[\],=<>~])/.exec(rest)?.[0]
    const word = sign === undefined ? /^[0-9A-Za-z_.:/-]+/.exec(rest)?.[0] : undefined
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, at })
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, at })
    else if (rest.startsWith('"')) {
      const whole = /^"((?:[^"\\]|\\.)*)"/s.exec(text.slice(at, at + 4000))
      if (!whole) throw new Wrong('validation.expressionQuote', at)
      tokens.push({ kind: 'text', text: (whole[1] ?? '').replaceAll(/\\(.)/gs, '$1'), at })
      at += whole[0].length
      continue
    } else throw new Wrong('validation.expressionUnexpected', at)
    at += (sign ?? word ?? '').length
  }
  tokens.push({ kind: 'end', text: '', at: text.length })
  return tokens
}

class Parser {
  private at = 0
  private readonly tokens: Token[]
  constructor(tokens: Token[]) {
    this.tokens = tokens
  }

  whole(): SecurityExpression {
    const expression = this.either(0, false)
    if (this.peek().kind !== 'end') this.refuse('validation.expressionUnexpected')
    return expression
  }

  /** `not` over a group makes `and` of `or`, and the other way round. */
  private either(depth: number, negated: boolean): SecurityExpression {
    const parts = [this.both(depth, negated)]
    while (this.took('or')) parts.push(this.both(depth, negated))
    return joined(negated ? 'all' : 'any', parts)
  }

  private both(depth: number, negated: boolean): SecurityExpression {
    const parts = [this.one(depth, negated)]
    while (this.took('and')) parts.push(this.one(depth, negated))
    return joined(negated ? 'any' : 'all', parts)
  }

  private one(depth: number, negated: boolean): SecurityExpression {
    if (this.took('not')) return this.one(depth, !negated)
    if (!this.took('(')) return this.condition(negated)
    if (depth >= DEPTH_MOST) this.refuse('validation.expressionTooDeep')
    const expression = this.either(depth + 1, negated)
    if (!this.took(')')) this.refuse('validation.expressionParenthesis')
    return expression
  }

  private condition(outer: boolean): SecurityCondition {
    const ignoreCase = this.peek().text === 'lower' && this.tokens[this.at + 1]?.text === '('
    if (ignoreCase) this.at += 2
    const field = this.field()
    let name = ''
    if (SECURITY_FIELDS[field].named) {
      if (!this.took('[')) this.refuse('validation.expressionName')
      const token = this.next()
      if (token.kind !== 'text') this.refuse('validation.expressionName', token)
      name = token.text
      if (!this.took(']')) this.refuse('validation.expressionName')
    }
    if (ignoreCase && !this.took(')')) this.refuse('validation.expressionParenthesis')
    let negate = outer
    if (this.took('not')) negate = !negate
    const sign = this.next()
    if (sign.text === '!=' && sign.kind === 'sign') negate = !negate
    const operator = operatorOf(sign)
    if (operator === null) this.refuse('validation.expressionOperator', sign)
    const values = operator === 'exists' ? [] : this.values()
    return { field, name, operator: operator ?? 'exists', negate, ignoreCase, values }
  }

  private field(): SecurityField {
    const token = this.next()
    const field = token.kind === 'word' ? SECURITY_FIELD_NAMES.find((one) => one === token.text) : undefined
    if (field === undefined) this.refuse('validation.expressionField', token)
    return field ?? 'path'
  }

  private values(): string[] {
    if (!this.took('{')) return [this.value()]
    const values: string[] = []
    while (!this.took('}')) {
      values.push(this.value())
      this.took(',')
    }
    return values
  }

  private value(): string {
    const token = this.next()
    if (token.kind !== 'text' && token.kind !== 'word') this.refuse('validation.expressionValue', token)
    return token.text
  }

  private peek(): Token {
    return this.tokens[this.at] ?? { kind: 'end', text: '', at: 0 }
  }

  private next(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.at += 1
    return token
  }

  private took(text: string): boolean {
    const token = this.peek()
    if (token.kind === 'text' || token.kind === 'end' || token.text !== text) return false
    this.at += 1
    return true
  }

  private refuse(message: string, token = this.peek()): never {
    throw new Wrong(message, token.at)
  }
}

function operatorOf(token: Token): SecurityOperator | null {
  if (token.kind === 'sign') {
    if (token.text === '!=') return 'equals'
    return SecurityOperator.options.find((one) => SYMBOLS[one] === token.text) ?? null
  }
  return token.kind === 'word' ? (SecurityOperator.options.find((one) => one === token.text) ?? null) : null
}

function joined(kind: 'all' | 'any', parts: SecurityExpression[]): SecurityExpression {
  const [only] = parts
  if (only && parts.length === 1) return only
  return kind === 'all' ? { all: parts } : { any: parts }
}
