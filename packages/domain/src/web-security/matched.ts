import { type Ask, firstOf, textsOf } from './ask.ts'
import { lowerAscii } from './bytes.ts'
import type { CompiledSecurity, Test } from './compiled.ts'
import { holds } from './conditions.ts'
import type { Verdict } from './verdict.ts'
import { isFound, type Pattern } from './pattern.ts'
import { parameterOf } from './rule-sets/judge.ts'
import { otherReadings } from './readings.ts'
import { isSecretName, REDACTED, redactedTarget } from './redact.ts'

/** What of a request a verdict is about: the field, its name where it has one, and the bytes that fitted. */
export type Matched = { field: string; name: string; text: string }

const LONGEST = 160

/** What a rule has found in a request; nothing where the rule is about every request. Secrets are left out. */
export function matchedBy(compiled: CompiledSecurity, verdict: Verdict, ask: Ask): Matched | undefined {
  if (verdict.part === 'access-control') return { field: 'address', name: '', text: firstOf(ask('address', '')) }
  if (verdict.part === 'bot-management')
    return { field: 'user-agent', name: '', text: cut(firstOf(ask('user-agent', ''))) }
  if (verdict.part === 'crs-rules') return matchedByRuleSets(verdict)
  // The value itself may be anybody's: which field it is says enough.
  if (verdict.about !== undefined) return { ...verdict.about, text: '' }
  for (const rule of compiled.firewall) if (rule.id === verdict.ruleId) return matchedInAny(rule.when, ask)
  return undefined
}

function matchedInAny(test: Test, ask: Ask): Matched | undefined {
  const found = matchedIn(test, ask)
  if (found !== undefined) return found
  for (const other of otherReadings(ask)) {
    const there = matchedIn(test, other)
    if (there !== undefined) return there
  }
  return undefined
}

/** Where the heaviest finding was, in the words of conditions. */
function matchedByRuleSets({ findings }: Verdict): Matched | undefined {
  const [first] = findings
  if (first === undefined) return undefined
  const { variable, matched } = first
  const colon = variable.indexOf(':')
  const collection = colon < 0 ? variable : variable.slice(0, colon)
  const name = parameterOf(variable)
  const field = PLACES[`=${collection}`] ?? lowerAscii(collection)
  return { field, name, text: field === 'cookie' || isSecretName(name) ? REDACTED : cut(matched) }
}

const PLACES: Record<string, string | undefined> = {
  '=ARGS': 'parameter',
  '=ARGS_GET': 'parameter',
  '=ARGS_POST': 'parameter',
  '=ARGS_NAMES': 'parameter',
  '=FILES': 'parameter',
  '=FILES_NAMES': 'parameter',
  '=REQUEST_COOKIES': 'cookie',
  '=REQUEST_COOKIES_NAMES': 'cookie',
  '=REQUEST_HEADERS': 'header',
  '=REQUEST_HEADERS_NAMES': 'header',
  '=REQUEST_METHOD': 'method',
  '=REQUEST_PROTOCOL': 'protocol',
  '=QUERY_STRING': 'query',
  '=REQUEST_BASENAME': 'path',
  '=REQUEST_FILENAME': 'path',
  '=REQUEST_URI': 'path',
  '=REQUEST_URI_RAW': 'path',
}

/** The first condition that holds and says what it looks for, before one that says what is missing. */
function matchedIn(test: Test, ask: Ask): Matched | undefined {
  if (test.kind === 'always' || !holds(test, ask)) return undefined
  if (test.kind === 'all' || test.kind === 'any') {
    for (const one of test.of) {
      const found = matchedIn(one, ask)
      if (found !== undefined) return found
    }
    return undefined
  }
  if (test.negate) return undefined
  for (const said of textsOf(ask(test.field, test.name))) {
    const text = fitting(test, said)
    if (text !== undefined) return { field: test.field, name: test.name, text: redacted(test, text, ask) }
  }
  return undefined
}

/** The bytes of what is said that fit the condition; undefined when they do not. */
function fitting(test: Test, said: string): string | undefined {
  if (test.kind === 'part') {
    const text = test.ignoreCase ? lowerAscii(said) : said
    // Not taken apart: the compiler for nginx knows a text's length by its name only.
    const length = test.part.length
    if (test.where === 'start') return text.startsWith(test.part) ? cut(said.slice(0, length)) : undefined
    if (test.where === 'end') return text.endsWith(test.part) ? cut(said.slice(said.length - length)) : undefined
    const at = text.indexOf(test.part)
    return at < 0 ? undefined : cut(said.slice(at, at + length))
  }
  if (test.kind === 'pattern') return isFound(test.pattern, said) ? cut(patternIn(test.pattern, said)) : undefined
  return holds(test, (field) => (field === test.field ? said : undefined)) ? cut(said) : undefined
}

/**
 * The stretch that a pattern is found in. Halving finds where it ends and begins; where anchors make halves lie, the
 * whole text is the answer.
 */
function patternIn(pattern: Pattern, text: string): string {
  let low = 0
  let high = text.length
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (isFound(pattern, text.slice(0, middle))) high = middle
    else low = middle + 1
  }
  const end = high
  low = 0
  high = end
  while (low < high) {
    const middle = Math.floor((low + high + 1) / 2)
    if (isFound(pattern, text.slice(middle, end))) low = middle
    else high = middle - 1
  }
  const found = text.slice(low, end)
  return found !== '' && isFound(pattern, found) ? found : text
}

function redacted({ field, name }: Test, text: string, ask: Ask): string {
  if (field === 'cookie') return REDACTED
  if ((field === 'header' || field === 'query-parameter') && isSecretName(name)) return REDACTED
  if (field !== 'query' && field !== 'referer') return text
  const said = field === 'query' ? firstOf(ask('target', '')) : firstOf(ask('referer', ''))
  return redactedTarget(said) === said ? text : REDACTED
}

const cut = (text: string): string => (text.length > LONGEST ? text.slice(0, LONGEST) : text)
