import { revealedPlace } from './revealed.ts'

/** What a rule of the rule set has found in a request, in bytes. */
export type Finding = {
  ruleId: string
  /** By its severity: critical 5, error 4, warning 3, notice 2. */ score: number
  /** Where: `ARGS:q`, `REQUEST_COOKIES:id`, `REQUEST_HEADERS:User-Agent`; empty when too much was found to say. */ variable: string
  /** The beginning of what matched; empty when the rule does not say. */ matched: string
}

/** Not inspected, for others of the same customer's are under way. */
export const CROWDED = 'crowded'

/** What the inspection of a request came to. */
export type Inspection = {
  findings: Finding[]
  /** Why nothing is known; empty when the request was inspected. */ failed: string
  /** The body was longer than is inspected: this is about its beginning. */ cut: boolean
}

/**
 * Reads what the inspecting server answers: `count,many,finding.finding,rule.rule`, each finding as hexadecimal digits
 * of `rule score variable matched`. With `many` the rules are named once each and without their places. Undefined when
 * it is no such answer.
 */
export function readFindings(answer: string): Finding[] | undefined {
  const parts = answer.split(',')
  const [count, many, places, rules] = parts
  if (parts.length !== 4 || count === undefined || places === undefined || rules === undefined) return undefined
  const found: Finding[] = []
  for (const hex of (many === '' ? places : rules).split('.')) {
    if (hex === '') continue
    const finding = readFinding(fromHex(hex))
    if (finding === undefined) return undefined
    found.push(finding)
  }
  // An answer that says that there was something, and not what, is no answer.
  return count !== '0' && found.length === 0 ? undefined : found
}

function readFinding(text: string): Finding | undefined {
  const first = text.indexOf(' ')
  if (first < 0) return undefined
  // Where places are not told, the text ends with the score.
  const space = text.indexOf(' ', first + 1)
  const second = space < 0 ? text.length : space
  const score = digit(text.slice(first + 1, second))
  if (score === undefined) return undefined
  const rest = text.slice(second + 1)
  const third = rest.indexOf(' ')
  return {
    ruleId: text.slice(0, first),
    score,
    variable: revealedPlace(third < 0 ? rest : rest.slice(0, third)),
    matched: third < 0 ? '' : rest.slice(third + 1),
  }
}

function digit(text: string): number | undefined {
  const code = text.length === 1 ? text.charCodeAt(0) - 48 : -1
  return code < 0 || code > 9 ? undefined : code
}

function fromHex(hex: string): string {
  const bytes: string[] = []
  for (let i = 0; i + 1 < hex.length; i += 2)
    bytes.push(String.fromCharCode(nibble(hex.charCodeAt(i)) * 16 + nibble(hex.charCodeAt(i + 1))))
  return bytes.join('')
}

const nibble = (code: number): number => (code >= 97 ? code - 87 : code - 48)
