import { entryFor } from './access.ts'
import { addressKey } from './address-key.ts'
import { type Ask, firstOf, textsOf } from './ask.ts'
import { byApi, passApiOver, showsToken } from './by-api.ts'
import { bySchema, passSchemaOver } from './api-schema/by-schema.ts'
import { byTakeover, passTakeoverOver } from './by-takeover.ts'
import { brokenIntegrity, crawlerOf, suspicionOf } from './bots.ts'
import { byRuleSets } from './by-rule-sets.ts'
import { isCertificateCheck } from './certificate-check.ts'
import type { CompiledAction, CompiledRule, CompiledSecurity } from './compiled.ts'
import { beginEffort } from './pattern.ts'
import { otherReadings } from './readings.ts'
import { isAbout, rulesAbout } from './rules-about.ts'
import { otherPath, pathOf } from './target.ts'
import { decide, note, type Part, step, type Verdict, type World } from './verdict.ts'

// What every request goes through makes no functions and no closures: LuaJIT compiles none that does.

/**
 * What becomes of a request, by the first part that decides: access control, bot management, firewall rules, API
 * protection (tokens, then the schema), account takeover, rule sets; then, for what goes on, header rewrites and the origin rule. The same
 * source runs in nginx, in *try a request* and in tests.
 */
export function evaluate(compiled: CompiledSecurity, ask: Ask, world: World): Verdict {
  const verdict: Verdict = {
    action: 'pass',
    part: '',
    ruleId: '',
    reason: '',
    status: 0,
    location: '',
    strength: 0,
    seconds: 0,
    score: 0,
    findings: [],
    requestHeaders: [],
    responseHeaders: [],
    about: undefined,
    login: undefined,
    originId: '',
    isPartial: false,
    origin: undefined,
  }
  beginEffort()
  const whitelisted = byAccess(compiled, ask, world, verdict)
  let spared = whitelisted ? 'whitelisted' : ''
  if (verdict.status === 0) {
    if (whitelisted) {
      passOver(compiled.firewall, world, 'whitelisted')
      step(world, 'bot-management', '', '', 'passed-over', '', 'whitelisted')
      passApiOver(compiled, world, 'whitelisted')
      passSchemaOver(compiled, world, 'whitelisted')
      passTakeoverOver(compiled, world, 'whitelisted')
    } else {
      const letPass = byRules(compiled, ask, world, verdict)
      if (letPass) spared = 'let-pass'
      if (verdict.status === 0 && !letPass) byApi(compiled, ask, world, verdict)
      else passApiOver(compiled, world, letPass ? 'let-pass' : 'decided')
      if (verdict.status === 0 && !letPass) bySchema(compiled, ask, world, verdict)
      else passSchemaOver(compiled, world, letPass ? 'let-pass' : 'decided')
      if (verdict.status === 0) byTakeover(compiled, ask, world, verdict)
      else passTakeoverOver(compiled, world, 'decided')
    }
  } else {
    step(world, 'bot-management', '', '', 'passed-over', '', 'decided')
    passOver(compiled.firewall, world, 'decided')
    passApiOver(compiled, world, 'decided')
    passSchemaOver(compiled, world, 'decided')
    passTakeoverOver(compiled, world, 'decided')
  }
  byRuleSets(compiled.ruleSets, ask, world, verdict, spared)
  if (verdict.status === 0) {
    rewrite(compiled, ask, world, verdict)
    chooseOrigin(compiled, ask, world, verdict)
  }
  return verdict
}

/** Whether the visitor is on the whitelist; who is on the blacklist only is blocked. */
function byAccess({ access }: CompiledSecurity, ask: Ask, world: World, verdict: Verdict): boolean {
  const white = entryFor(access.white, ask, world.now)
  if (white !== undefined) {
    step(world, 'access-control', white, '', 'matched', 'pass', 'whitelisted')
    verdict.part = 'access-control'
    verdict.ruleId = white
    verdict.reason = 'whitelisted'
    return true
  }
  const black = entryFor(access.black, ask, world.now)
  if (black !== undefined) {
    step(world, 'access-control', black, '', 'matched', 'block', 'blacklisted')
    decide(verdict, 'access-control', black, 'block', 'blacklisted', 403)
    return false
  }
  const off = access.white.empty && access.black.empty
  step(world, 'access-control', '', '', off ? 'off' : 'not-matched', '', '')
  return false
}

/**
 * Firewall rules are asked before a visitor is challenged for its looks, so that a rule may let pass what bot
 * management would ask: bot management decides over what no rule has let pass or blocked. True when a rule let it pass.
 */
function byRules(compiled: CompiledSecurity, ask: Ask, world: World, verdict: Verdict): boolean {
  const { threshold, integrity } = compiled.bots
  const others = compiled.firewall.length > 0 ? otherReadings(ask) : []
  const about = rulesAbout(compiled.firewall, ask, others, verdict)
  const isOff = threshold >= 1000 && integrity === 'off'
  if (!isOff && showsToken(compiled, ask, world.now))
    step(world, 'bot-management', '', '', 'passed-over', '', 'token-valid')
  else if (isOff || !letsPass(compiled.firewall, about)) byBots(compiled, ask, world, verdict)
  else step(world, 'bot-management', '', '', 'passed-over', '', 'let-pass')
  if (verdict.status !== 0) {
    passOver(compiled.firewall, world, 'decided')
    return false
  }
  return byFirewall(compiled.firewall, about, ask, world, verdict)
}

/** Whether the first rule that stops a request or lets it pass does the latter. */
function letsPass(rules: CompiledRule<CompiledAction>[], about: number[]): boolean {
  for (const at of about) {
    const type = rules[at]?.does.type
    if (type !== 'simulate' && type !== 'rate-limit') return type === 'pass'
  }
  return false
}

function byBots({ bots }: CompiledSecurity, ask: Ask, world: World, verdict: Verdict): void {
  if (bots.threshold >= 1000 && bots.integrity === 'off') {
    step(world, 'bot-management', '', '', 'off', '', '')
    return
  }
  const claim = bots.crawlers ? crawlerOf(ask, world) : undefined
  if (claim !== undefined && claim.standing === 'verified') {
    step(world, 'bot-management', '', '', 'matched', 'pass', 'verified-crawler')
    note(verdict, 'bot-management', claim.agent, 'pass', 'verified-crawler')
    return
  }
  const isUnverified = claim !== undefined && claim.standing === 'unverified'
  const isFalse = claim !== undefined && claim.standing === 'false'
  // What crawlers and authorities do not send is not held against what may be one; a scanner is refused in any coat.
  const isBrowser = !isUnverified && !isCertificateCheck(ask)
  const integrity = !isBrowser && bots.integrity === 'strict' ? 'standard' : bots.integrity
  const broken = brokenIntegrity(ask, integrity)
  if (broken !== '') {
    step(world, 'bot-management', 'integrity', '', 'matched', 'block', broken)
    decide(verdict, 'bot-management', 'integrity', 'block', broken, 403)
    return
  }
  const suspicion = isUnverified ? 0 : suspicionOf(ask) + (isFalse ? FALSE_NAME : 0)
  if (bots.threshold >= 1000 || (bots.threshold > 0 && suspicion < bots.threshold)) {
    if (claim === undefined) step(world, 'bot-management', '', '', 'not-matched', '', '')
    else {
      const reason = isFalse ? 'false-crawler' : 'unverified-crawler'
      step(world, 'bot-management', '', '', 'not-matched', '', reason)
      note(verdict, 'bot-management', claim.agent, 'pass', reason)
    }
    return
  }
  const reason = bots.threshold === 0 ? 'under-attack' : isFalse ? 'false-crawler' : 'suspicion'
  const rule = isFalse && claim !== undefined ? claim.agent : 'level'
  if (world.isCleared(bots.strength)) {
    step(world, 'bot-management', rule, '', 'matched', 'pass', 'cleared')
    return
  }
  if (isCertificateCheck(ask)) {
    step(world, 'bot-management', rule, '', 'matched', 'pass', 'certificate-check')
    return
  }
  step(world, 'bot-management', rule, '', 'matched', 'challenge', reason)
  challenge(verdict, 'bot-management', rule, reason, bots.strength, bots.clearanceSeconds)
}

/** Whoever bears a crawler's name without being it is suspected as much as whoever bears none. */
const FALSE_NAME = 60

function byFirewall(
  rules: CompiledRule<CompiledAction>[],
  about: number[],
  ask: Ask,
  world: World,
  verdict: Verdict,
): boolean {
  let ended = false
  let letPass = false
  let looked = 0
  for (const at of about) {
    const rule = rules[at]
    if (rule === undefined || ended) continue
    notMatched(rules, looked, at, world)
    looked = at + 1
    ended = obey(rule, ask, world, verdict)
    letPass = ended && rule.does.type === 'pass'
  }
  if (!ended) notMatched(rules, looked, rules.length, world)
  else if (world.trace !== undefined)
    for (const { id, name, does } of rules.slice(looked))
      step(world, 'firewall-rules', id, name, 'passed-over', does.type, 'decided')
  return letPass
}

/** Tells of the rules between two places that they are not about the request. */
function notMatched(rules: CompiledRule<CompiledAction>[], from: number, to: number, world: World): void {
  if (world.trace === undefined) return
  for (const { id, name, does } of rules.slice(from, to))
    step(world, 'firewall-rules', id, name, 'not-matched', does.type, '')
}

/** Does what a rule says; true when no later one is asked. */
function obey(rule: CompiledRule<CompiledAction>, ask: Ask, world: World, verdict: Verdict): boolean {
  const { does } = rule
  if (does.type === 'simulate') {
    matched(world, rule, 'simulated')
    // The first of them is what the log tells of a request that goes on.
    if (verdict.action === 'pass') note(verdict, 'firewall-rules', rule.id, 'simulate', 'simulated')
    return false
  }
  if (does.type === 'pass') {
    matched(world, rule, 'let-pass')
    if (verdict.action === 'pass') note(verdict, 'firewall-rules', rule.id, 'pass', 'let-pass')
    return true
  }
  if (does.type === 'rate-limit') {
    if (!isTooMany(rule, ask, world)) {
      matched(world, rule, 'under-limit')
      return false
    }
    matched(world, rule, 'over-limit')
    decide(verdict, 'firewall-rules', rule.id, 'rate-limit', 'over-limit', 429)
    verdict.seconds = does.blockSeconds
    return true
  }
  if (does.type === 'challenge') {
    if (world.isCleared(does.strength)) {
      matched(world, rule, 'cleared')
      return false
    }
    if (isCertificateCheck(ask)) {
      matched(world, rule, 'certificate-check')
      return false
    }
    matched(world, rule, 'rule')
    challenge(verdict, 'firewall-rules', rule.id, 'rule', does.strength, CLEARANCE_SECONDS)
    return true
  }
  matched(world, rule, 'rule')
  if (does.type === 'redirect') {
    decide(verdict, 'firewall-rules', rule.id, 'redirect', 'rule', 302)
    verdict.location = locationOf(does.location, ask)
    return true
  }
  decide(verdict, 'firewall-rules', rule.id, 'block', 'rule', 403)
  return true
}

function matched(world: World, { id, name, does }: CompiledRule<CompiledAction>, reason: string): void {
  step(world, 'firewall-rules', id, name, 'matched', does.type, reason)
}

const CLEARANCE_SECONDS = 1800

/** Counted under each path that the request may be for: a way of writing it makes no new one. */
function isTooMany(rule: CompiledRule<CompiledAction>, ask: Ask, world: World): boolean {
  const { requests, seconds, blockSeconds } = rule.does
  const target = firstOf(ask('target', ''))
  const path = pathOf(target)
  const tooMany = world.isTooMany(limitKey(rule, path, ask), requests, seconds, blockSeconds)
  let isByPath = false
  for (const { by } of rule.does.keys) if (by === 'path') isByPath = true
  const other = isByPath ? otherPath(target) : undefined
  if (other === undefined) return tooMany
  return world.isTooMany(limitKey(rule, other, ask), requests, seconds, blockSeconds) || tooMany
}

/** What requests are counted under: the rule, and what it tells them apart by. */
function limitKey({ id, does }: CompiledRule<CompiledAction>, path: string, ask: Ask): string {
  const parts = [id]
  for (const { by, name } of does.keys) {
    if (by === 'path') parts.push(path)
    // Whoever has one address of IPv6 has the whole /64.
    else if (by === 'address') parts.push(addressKey(firstOf(ask('address', ''))).slice(0, 16))
    else parts.push(textsOf(ask(by, name)).join(','))
  }
  return parts.join('\n')
}

/** `{host}` is the host that was asked for; path and query go along then. */
function locationOf(location: string, ask: Ask): string {
  const at = location.indexOf('{host}')
  if (at < 0) return location
  return `${location.slice(0, at)}${firstOf(ask('host', ''))}${location.slice(at + 6)}${firstOf(ask('target', ''))}`
}

function rewrite({ headers }: CompiledSecurity, ask: Ask, world: World, verdict: Verdict): void {
  for (const rule of headers) {
    const fits = isAbout(rule, ask, verdict)
    step(world, 'http-header-rewrite', rule.id, rule.name, fits ? 'matched' : 'not-matched', '', '')
    if (!fits) continue
    const into = rule.does.direction === 'request' ? verdict.requestHeaders : verdict.responseHeaders
    for (const { operation, header, value } of rule.does.operations)
      into.push({ operation, header, value: operation === 'remove' ? '' : valueOf(value, ask) })
  }
}

/** Fields that tokens of a header's value stand for; what is none stays as it is written. */
const TOKENS: Record<string, string | undefined> = {
  '=CLIENT_IP': 'address',
  '=COUNTRY': 'country',
  '=HOST': 'host',
  '=METHOD': 'method',
  '=NETWORK': 'network',
  '=PATH': 'target-path',
  '=REGION': 'region',
  '=REQUEST_ID': 'request-id',
  '=SCHEME': 'scheme',
  '=TLS_VERSION': 'tls-version',
}

function valueOf(value: string, ask: Ask): string {
  let open = value.indexOf('::')
  if (open < 0) return value
  const parts: string[] = []
  let rest = value
  while (open >= 0) {
    const close = rest.indexOf('::', open + 2)
    const field = close < 0 ? undefined : TOKENS[`=${rest.slice(open + 2, close)}`]
    if (field === undefined) {
      parts.push(rest.slice(0, open + 2))
      rest = rest.slice(open + 2)
    } else {
      parts.push(rest.slice(0, open))
      // As it was sent: what is decoded could begin another line.
      if (field === 'target-path') parts.push(visible(rawPath(firstOf(ask('target', '')))))
      else parts.push(visible(firstOf(ask(field, ''))))
      rest = rest.slice(close + 2)
    }
    open = rest.indexOf('::')
  }
  parts.push(rest)
  return parts.join('')
}

function rawPath(target: string): string {
  const mark = target.indexOf('?')
  return mark < 0 ? target : target.slice(0, mark)
}

/** Without what would end a line. */
function visible(text: string): string {
  let isClean = true
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) < 32 || text.charCodeAt(i) === 127) isClean = false
  if (isClean) return text
  const parts: string[] = []
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code >= 32 && code !== 127) parts.push(text.charAt(i))
  }
  return parts.join('')
}

function chooseOrigin({ origins }: CompiledSecurity, ask: Ask, world: World, verdict: Verdict): void {
  for (const rule of origins) {
    if (verdict.origin !== undefined) {
      step(world, 'origin-rules', rule.id, rule.name, 'passed-over', '', 'decided')
      if (world.trace === undefined) return
    } else if (isAbout(rule, ask, verdict)) {
      step(world, 'origin-rules', rule.id, rule.name, 'matched', '', '')
      verdict.originId = rule.id
      verdict.origin = rule.does
    } else step(world, 'origin-rules', rule.id, rule.name, 'not-matched', '', '')
  }
}

function challenge(
  verdict: Verdict,
  part: Part,
  ruleId: string,
  reason: string,
  strength: number,
  seconds: number,
): void {
  decide(verdict, part, ruleId, 'challenge', reason, 403)
  verdict.strength = strength
  verdict.seconds = seconds
}

function passOver(rules: CompiledRule<CompiledAction>[], world: World, reason: string): void {
  if (world.trace === undefined) return
  for (const { id, name, does } of rules) step(world, 'firewall-rules', id, name, 'passed-over', does.type, reason)
}
