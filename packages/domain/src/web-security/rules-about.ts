import { type Ask, textsOf } from './ask.ts'
import type { CompiledAction, CompiledRule, Test } from './compiled.ts'
import { holds } from './conditions.ts'
import { gaveUp } from './pattern.ts'
import type { Verdict } from './verdict.ts'

type FirewallRule = CompiledRule<CompiledAction>

/** What rules were found to be about requests that said the same in all that any of them asks for. */
type Memo = { asked: Asked; found: Record<string, number[] | undefined> }
/** Which fields the rules ask for; undefined when one is not among those that `keyOf` reads. */
type Asked = Record<string, boolean | undefined> | undefined

let memos = new WeakMap<FirewallRule[], Memo>()
let keptCount = 0
/** Of all rules together, some megabytes. */
const KEPT_MOST = 10_000
const KEPT_LONGEST = 1000
/** What can be asked for without a name of its own, such as a header's. */
const KEYED: Record<string, boolean | undefined> = {
  address: true,
  continent: true,
  country: true,
  region: true,
  city: true,
  network: true,
  host: true,
  path: true,
  extension: true,
  query: true,
  method: true,
  protocol: true,
  'tls-version': true,
  'body-size': true,
  'user-agent': true,
  referer: true,
}

/**
 * The rules that are about a request, by their places, up to the first that ends the look in any case. Most requests say
 * the same as one before them, as far as rules ask: what was found then holds, and hundreds of rules cost as much as one.
 */
export function rulesAbout(rules: FirewallRule[], ask: Ask, others: Ask[], verdict: Verdict): number[] {
  if (rules.length === 0) return NONE
  let memo = memos.get(rules)
  if (memo === undefined) {
    memo = { asked: askedBy(rules), found: {} }
    memos.set(rules, memo)
  }
  const key = memo.asked === undefined || others.length > 0 ? undefined : keyOf(memo.asked, ask)
  if (key === undefined) return search(rules, ask, others, verdict)
  const known = memo.found[key]
  if (known !== undefined) return known
  const found = search(rules, ask, others, verdict)
  // What a pattern has given up on is not known.
  if (verdict.isPartial) return found
  if (keptCount >= KEPT_MOST) {
    memos = new WeakMap()
    keptCount = 0
  }
  memo.found[key] = found
  keptCount += 1
  return found
}
const NONE: number[] = []

function search(rules: FirewallRule[], ask: Ask, others: Ask[], verdict: Verdict): number[] {
  const found: number[] = []
  for (let at = 0; at < rules.length; at++) {
    const rule = rules[at]
    if (rule === undefined || !applies(rule, ask, others, verdict)) continue
    found.push(at)
    const { type } = rule.does
    if (type === 'block' || type === 'pass' || type === 'redirect') break
  }
  return found
}

/** Whether a rule is about a request: one that stops in any reading of it, one that lets pass in all. */
function applies(rule: FirewallRule, ask: Ask, others: Ask[], verdict: Verdict): boolean {
  const isPass = rule.does.type === 'pass'
  if (isAbout(rule, ask, verdict) !== isPass) return !isPass
  if (rule.byReading === false) return isPass
  for (const other of others) if (isAbout(rule, other, verdict) !== isPass) return !isPass
  return isPass
}

/** Whether a rule's condition holds. One that cannot be said in time is left out; the others are asked nevertheless. */
export function isAbout({ when }: { when: Test }, ask: Ask, verdict: Verdict): boolean {
  const isIt = holds(when, ask)
  if (!gaveUp()) return isIt
  verdict.isPartial = true
  return false
}

function askedBy(rules: FirewallRule[]): Asked {
  const asked: Record<string, boolean | undefined> = {}
  for (const { when } of rules) if (!noteAsked(when, asked)) return undefined
  return asked
}

function noteAsked(test: Test, asked: Record<string, boolean | undefined>): boolean {
  if (test.field !== '') {
    if (KEYED[test.field] !== true) return false
    asked[test.field] = true
  }
  for (const one of test.of) if (!noteAsked(one, asked)) return false
  return true
}

/** One after the other and not in a loop, which would keep LuaJIT from compiling what is around it in one piece. */
function keyOf(asked: NonNullable<Asked>, ask: Ask): string | undefined {
  let key = ''
  if (asked['address'] === true) key = `${key}${said(ask('address', ''))}`
  if (asked['continent'] === true) key = `${key}${said(ask('continent', ''))}`
  if (asked['country'] === true) key = `${key}${said(ask('country', ''))}`
  if (asked['region'] === true) key = `${key}${said(ask('region', ''))}`
  if (asked['city'] === true) key = `${key}${said(ask('city', ''))}`
  if (asked['network'] === true) key = `${key}${said(textsOf(ask('network', '')).join(','))}`
  if (asked['host'] === true) key = `${key}${said(ask('host', ''))}`
  if (asked['path'] === true || asked['extension'] === true) key = `${key}${said(ask('path', ''))}`
  if (asked['query'] === true) key = `${key}${said(ask('query', ''))}`
  if (asked['method'] === true) key = `${key}${said(ask('method', ''))}`
  if (asked['protocol'] === true) key = `${key}${said(ask('protocol', ''))}`
  if (asked['tls-version'] === true) key = `${key}${said(ask('tls-version', ''))}`
  if (asked['body-size'] === true) key = `${key}${said(ask('body-size', ''))}`
  if (asked['user-agent'] === true) {
    const agent = ask('user-agent', '')
    if (agent !== undefined && typeof agent !== 'string') return undefined
    key = `${key}${said(agent)}`
  }
  if (asked['referer'] === true) {
    const referer = ask('referer', '')
    if (referer !== undefined && typeof referer !== 'string') return undefined
    key = `${key}${said(referer)}`
  }
  return key.length > KEPT_LONGEST ? undefined : key
}

/** With its length before it, so that no two requests are one by what stands between their parts. */
function said(answer: string | string[] | undefined): string {
  if (answer === undefined) return '-'
  const text = typeof answer === 'string' ? answer : answer.join(',')
  return `${text.length}:${text}`
}
