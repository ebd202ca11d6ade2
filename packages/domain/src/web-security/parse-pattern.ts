import { OPS, type Pattern } from './pattern.ts'
import { utf8 } from './utf8.ts'

/** Why a pattern is refused, and at which of its characters, counted from 1. */
export type PatternProblem = { message: string; column: number }

/** As many steps as a pattern may have when its repetitions are written out: a bound for the time of one byte. */
const STEPS_MOST = 200
const REPEATS_MOST = 100

type Node =
  | { kind: 'set'; set: number[] }
  | { kind: 'begin' }
  | { kind: 'end' }
  | { kind: 'all'; of: Node[] }
  | { kind: 'any'; of: Node[] }
  | { kind: 'repeat'; of: Node; least: number; most: number }

class Refused extends Error {
  readonly column: number
  constructor(message: string, column: number) {
    super(message)
    this.column = column
  }
}

/**
 * Reads a pattern: characters, `.`, classes, `\d \w \s`, groups, `|`, `* + ? {m,n}`, `^ $`. What cannot be run in one
 * pass over the text (references back, looking around) is refused, as is what would be too large.
 */
export function parsePattern(text: string, ignoreCase: boolean): Pattern | PatternProblem {
  try {
    return assemble(new Reader(text, ignoreCase).whole())
  } catch (error) {
    if (error instanceof Refused) return { message: error.message, column: error.column }
    throw error
  }
}

export const isPattern = (one: Pattern | PatternProblem): one is Pattern => 'ops' in one

class Reader {
  private at = 0
  private depth = 0
  private readonly characters: string[]
  private readonly ignoreCase: boolean
  constructor(text: string, ignoreCase: boolean) {
    this.characters = [...text]
    this.ignoreCase = ignoreCase
  }

  whole(): Node {
    const node = this.alternatives()
    if (this.at < this.characters.length) this.refuse('validation.patternParenthesis')
    return node
  }

  private alternatives(): Node {
    const of = [this.sequence()]
    while (this.peek() === '|') {
      this.at += 1
      of.push(this.sequence())
    }
    return of.length === 1 && of[0] ? of[0] : { kind: 'any', of }
  }

  private sequence(): Node {
    const of: Node[] = []
    for (let next = this.peek(); next !== undefined && next !== '|' && next !== ')'; next = this.peek())
      of.push(this.repeated())
    return { kind: 'all', of }
  }

  private repeated(): Node {
    const start = this.at
    let node = this.atom()
    for (;;) {
      const next = this.peek()
      const bounds =
        next === '*'
          ? { least: 0, most: Infinity }
          : next === '+'
            ? { least: 1, most: Infinity }
            : next === '?'
              ? { least: 0, most: 1 }
              : next === '{'
                ? this.counted()
                : null
      if (!bounds) return node
      if (node.kind === 'begin' || node.kind === 'end') this.refuse('validation.patternNothingToRepeat', start)
      if (next !== '{') this.at += 1
      // Written as lazy it finds the same.
      if (this.peek() === '?') this.at += 1
      else if (this.peek() === '+' || this.peek() === '*') this.refuse('validation.patternNothingToRepeat')
      node = { kind: 'repeat', of: node, ...bounds }
    }
  }

  private counted(): { least: number; most: number } {
    const [all, least = '', comma, most] =
      /^\{(\d{1,4})(,(\d{1,4})?)?\}/.exec(this.characters.slice(this.at, this.at + 12).join('')) ?? []
    if (all === undefined) this.refuse('validation.patternRepetition')
    const bounds = {
      least: Number(least),
      most: comma === undefined ? Number(least) : most === undefined ? Infinity : Number(most),
    }
    if (bounds.least > REPEATS_MOST || (bounds.most !== Infinity && bounds.most > REPEATS_MOST))
      this.refuse('validation.patternTooLarge')
    if (bounds.most < bounds.least) this.refuse('validation.patternRepetition')
    this.at += all?.length ?? 0
    return bounds
  }

  private atom(): Node {
    const next = this.peek()
    if (next === undefined) this.refuse('validation.patternEnd')
    if (next === '*' || next === '+' || next === '?' || next === '{') this.refuse('validation.patternNothingToRepeat')
    this.at += 1
    if (next === '(') return this.group()
    if (next === '[') return { kind: 'set', set: this.cased(this.characterClass()) }
    if (next === '.') return { kind: 'set', set: [0, 9, 11, 255] }
    if (next === '^') return { kind: 'begin' }
    if (next === '$') return { kind: 'end' }
    if (next === '\\') return { kind: 'set', set: this.cased(this.escaped()) }
    return this.character(next ?? '')
  }

  /** One that takes several bytes is all of them, also where it is repeated. */
  private character(character: string): Node {
    const of = [...utf8(character)].map((byte): Node => {
      const code = byte.charCodeAt(0)
      return { kind: 'set', set: this.cased([code, code]) }
    })
    return of.length === 1 && of[0] ? of[0] : { kind: 'all', of }
  }

  private group(): Node {
    const open = this.at - 1
    this.depth += 1
    if (this.depth > 20) this.refuse('validation.patternTooLarge', open)
    if (this.peek() === '?') {
      if (this.characters[this.at + 1] !== ':') this.refuse('validation.patternUnsupported', open)
      this.at += 2
    }
    const node = this.alternatives()
    if (this.peek() !== ')') this.refuse('validation.patternParenthesis', open)
    this.at += 1
    this.depth -= 1
    return node
  }

  private characterClass(): number[] {
    const open = this.at - 1
    const negated = this.peek() === '^'
    if (negated) this.at += 1
    const set: number[] = []
    for (let first = true; ; first = false) {
      const next = this.peek()
      if (next === undefined) this.refuse('validation.patternClass', open)
      if (next === ']' && !first) break
      const low = this.member()
      if (this.peek() === '-' && this.characters[this.at + 1] !== ']' && this.characters[this.at + 1] !== undefined) {
        const from = this.at
        this.at += 1
        const high = this.member()
        const [a = 0, b = -1] = low
        const [c = 0, d = -1] = high
        if (a !== b || c !== d || low.length > 2 || high.length > 2 || c < a)
          this.refuse('validation.patternClass', from)
        set.push(a, c)
      } else set.push(...low)
    }
    this.at += 1
    return negated ? others(this.cased(set)) : set
  }

  private member(): number[] {
    const next = this.peek() ?? ''
    this.at += 1
    if (next === '\\') return this.escaped()
    const code = next.codePointAt(0) ?? 0
    if (code > 127) this.refuse('validation.patternUnsupported', this.at - 1)
    return [code, code]
  }

  private escaped(): number[] {
    const next = this.peek()
    if (next === undefined) this.refuse('validation.patternEnd')
    const known = CLASSES[next ?? '']
    if (known) {
      this.at += 1
      return known
    }
    const named = ESCAPES[next ?? '']
    if (named !== undefined) {
      this.at += 1
      return [named, named]
    }
    if (next === 'x') {
      const digits = this.characters.slice(this.at + 1, this.at + 3).join('')
      if (!/^[0-9A-Fa-f]{2}$/.test(digits)) this.refuse('validation.patternUnsupported', this.at - 1)
      this.at += 3
      const code = Number.parseInt(digits, 16)
      return [code, code]
    }
    const code = next?.codePointAt(0) ?? 0
    // Letters and digits behind a backslash mean something elsewhere that is not offered here.
    if (code > 127 || /[A-Za-z0-9]/.test(next ?? '')) this.refuse('validation.patternUnsupported', this.at - 1)
    this.at += 1
    return [code, code]
  }

  private cased(set: number[]): number[] {
    if (!this.ignoreCase) return set
    const both = [...set]
    for (let code = 65; code <= 90; code++) {
      if (holds(set, code)) both.push(code + 32, code + 32)
      if (holds(set, code + 32)) both.push(code, code)
    }
    return both
  }

  private peek(): string | undefined {
    return this.characters[this.at]
  }

  private refuse(message: string, at = this.at): never {
    throw new Refused(message, at + 1)
  }
}

const holds = (set: number[], code: number): boolean =>
  set.some((from, i) => i % 2 === 0 && code >= from && code <= (set[i + 1] ?? -1))

/** All bytes that are not in the set. */
function others(set: number[]): number[] {
  const runs: number[] = []
  let from = -1
  for (let code = 0; code <= 256; code++) {
    const inside = code < 256 && !holds(set, code)
    if (inside && from < 0) from = code
    if (!inside && from >= 0) {
      runs.push(from, code - 1)
      from = -1
    }
  }
  return runs
}

const DIGIT = [48, 57]
const WORD = [48, 57, 65, 90, 95, 95, 97, 122]
const BLANK = [9, 13, 32, 32]
const CLASSES: Partial<Record<string, number[]>> = {
  d: DIGIT,
  D: others(DIGIT),
  w: WORD,
  W: others(WORD),
  s: BLANK,
  S: others(BLANK),
}
const ESCAPES: Partial<Record<string, number>> = { n: 10, r: 13, t: 9, f: 12, v: 11 }

function assemble(node: Node): Pattern {
  const pattern: Pattern = { ops: [], x: [], y: [], sets: [] }
  const emit = (op: number, x = 0, y = 0): number => {
    if (pattern.ops.length >= STEPS_MOST) throw new Refused('validation.patternTooLarge', 1)
    pattern.ops.push(op)
    pattern.x.push(x)
    pattern.y.push(y)
    return pattern.ops.length - 1
  }
  const here = () => pattern.ops.length
  let puts = 0
  const put = (one: Node): void => {
    // Repetitions of nothing would be written out without a step.
    puts += 1
    if (puts > 10 * STEPS_MOST) throw new Refused('validation.patternTooLarge', 1)
    if (one.kind === 'set') {
      emit(OPS.byte, pattern.sets.length)
      pattern.sets.push(one.set)
    } else if (one.kind === 'begin') emit(OPS.begin)
    else if (one.kind === 'end') emit(OPS.end)
    else if (one.kind === 'all') for (const part of one.of) put(part)
    else if (one.kind === 'any') putAny(one.of)
    else putRepeat(one)
  }
  const putAny = (of: Node[]): void => {
    const ends: number[] = []
    for (const [i, part] of of.entries()) {
      if (i === of.length - 1) {
        put(part)
        continue
      }
      const fork = emit(OPS.fork, here() + 1)
      put(part)
      ends.push(emit(OPS.jump))
      pattern.y[fork] = here()
    }
    for (const end of ends) pattern.x[end] = here()
  }
  const putRepeat = ({ of, least, most }: Extract<Node, { kind: 'repeat' }>): void => {
    for (let i = 0; i < least; i++) put(of)
    if (most === Infinity) {
      const fork = emit(OPS.fork, here() + 1)
      put(of)
      emit(OPS.jump, fork)
      pattern.y[fork] = here()
      return
    }
    const forks: number[] = []
    for (let i = least; i < most; i++) {
      forks.push(emit(OPS.fork, here() + 1))
      put(of)
    }
    for (const fork of forks) pattern.y[fork] = here()
  }
  put(node)
  emit(OPS.found)
  return pattern
}
