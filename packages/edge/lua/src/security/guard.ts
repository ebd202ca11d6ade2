import {
  addressKey,
  evaluate,
  type Matched,
  matchedBy,
  ofTarget,
  type Verdict,
  type World,
} from '@fairway/domain/web-security'
import { answerFile, answerNothing, answerPage, count } from '../answer/answer.ts'
import { languageOf } from '../answer/negotiate.ts'
import { sitePage } from '../answer/site-pages.ts'
import type { PolicyDocument, SecurityDocument } from '../policy/documents.ts'
import { clearanceSecret } from '../policy/held.ts'
import { challengeBox, challengePage, SOLVE_PATH, takesPages } from './challenge-page.ts'
import { clearanceCookie, isCleared, newChallenge, shownRule, solved, soundOfSeed } from './clearance.ts'
import { contentOf } from './content.ts'
import { holdBack } from './hold-back.ts'
import { inspect } from './inspect.ts'
import { isLeaked } from './leaked.ts'
import { isMarked, isTooMany } from './limits.ts'
import { backTo, liveRequest, presentRequest } from './live-request.ts'
import { lookedUp } from './looked-up.ts'
import { type Seen, seenOf } from './record.ts'
import { mayShow } from './shapes.ts'
import { tell, weightOf, write } from './tell.ts'

/**
 * Holds a request against the rules of its domain. True when it has been answered here. Rules that fail let everything
 * pass, and say so.
 */
export function guard(policy: PolicyDocument, security: SecurityDocument, path: string): boolean {
  const { rules } = security
  if (path === SOLVE_PATH) {
    takeAnswer(policy)
    return true
  }
  const verdict = verdictOf(policy.organizationId, security)
  if (verdict === undefined) return false
  if (verdict.isPartial) {
    count('security_failed')
    ngx.log(ngx.ERR, 'web security: a rule was left out, its pattern takes too long')
  }
  const seen = seenOf(policy, verdict, liveRequest)
  let isOfFlood = false
  if (verdict.part === '') {
    if (seen !== undefined) write({ seen })
  } else isOfFlood = !isToldOf(rules, verdict, seen)
  if (verdict.status !== 0) {
    // A challenge is for people, who pass it.
    if (isOfFlood && (verdict.action === 'rate-limit' || verdict.action === 'block')) holdBack()
    answer(policy, verdict)
    return true
  }
  if (rules.schema.learns) mayShow(rules.schema)
  for (const { operation, header, value } of verdict.requestHeaders) {
    if (operation === 'remove') ngx.req.clear_header(header)
    else if (operation === 'set') ngx.req.set_header(header, value)
    else ngx.req.set_header(header, joined(header, value))
  }
  if (verdict.responseHeaders.length > 0) ngx.ctx.responseHeaders = verdict.responseHeaders
  if (verdict.login !== undefined) ngx.ctx.login = verdict.login
  if (verdict.originId !== '') ngx.var.fw_way = `rule-${verdict.originId}`
  return false
}

/** Counts a verdict and writes it down; false when it is one of so many that another stands for it. */
function isToldOf(rules: SecurityDocument['rules'], verdict: Verdict, seen: Seen | undefined): boolean {
  count(`security_${verdict.action}`)
  const isAnswered = verdict.status !== 0
  const weight = weightOf(verdict, isAnswered)
  if (weight > 0) tell(verdict, weight, isAnswered, matched(rules, verdict), seen)
  else if (!isAnswered && seen !== undefined) write({ seen })
  return weight > 0
}

// By `pcall`: what `try` becomes would be made anew for each request.
function verdictOf(customer: string, security: SecurityDocument): Verdict | undefined {
  const [done, found] = pcall(judged, customer, security)
  if (done) return found
  count('security_failed')
  ngx.log(ngx.ERR, `web security: ${found}`)
  return undefined
}

function judged(customer: string, security: SecurityDocument): Verdict {
  const world = security.world ?? worldOf(customer)
  security.world = world
  world.now = ngx.time()
  return evaluate(security.rules, liveRequest(), world)
}

/** Made once for a document, not for each request. */
const worldOf = (customer: string): World => ({
  now: 0,
  isTooMany: (key, requests, seconds, blockSeconds) => isTooMany(customer, key, requests, seconds, blockSeconds),
  inspect: (ruleSets) => {
    const own = presentRequest()
    const inspection = inspect(customer, ruleSets)
    backTo(own)
    return inspection
  },
  content: () => {
    const own = presentRequest()
    const content = contentOf()
    backTo(own)
    return content
  },
  isMarked: (key) => isMarked(key),
  isLeaked: (password) => isLeaked(password),
  lookedUp: (agent) => lookedUp(agent),
  isCleared: (strength) => isCleared(clearanceSecret(), strength),
  trace: undefined,
})

/** What the log says of it is not worth a visitor's answer. */
function matched(rules: SecurityDocument['rules'], verdict: Verdict): Matched | undefined {
  try {
    return matchedBy(rules, verdict, liveRequest())
  } catch (problem) {
    count('security_failed')
    ngx.log(ngx.ERR, `web security: ${problem}`)
    return undefined
  }
}

/** A second value beside what the visitor has sent (RFC 9110 5.3). */
function joined(header: string, value: string): string {
  const said = ngx.req.get_headers(0, false)[header]
  if (said === undefined || typeof said === 'boolean') return value
  return `${typeof said === 'string' ? said : said.join(', ')}, ${value}`
}

function answer(policy: PolicyDocument, verdict: Verdict): void {
  if (verdict.action === 'redirect') {
    ngx.status = verdict.status
    ngx.header['Location'] = verdict.location
    ngx.header['Cache-Control'] = 'no-store'
    return answerFile('text/plain; charset=utf-8', '')
  }
  if (verdict.action === 'rate-limit') {
    ngx.header['Retry-After'] = `${verdict.seconds}`
    return answerPage(429, 'rate-limited', policy)
  }
  if (verdict.status === 503) return answerPage(503, 'crowded', policy)
  if (verdict.action === 'block' || !takesPages()) {
    return answerPage(403, verdict.action === 'block' ? 'blocked' : 'challenge', policy)
  }
  askVisitor(policy, verdict)
}

/** The website's own page with the challenge in it, else its brand's, else the edge's. */
function askVisitor({ pages }: PolicyDocument, { part, ruleId, strength, seconds }: Verdict): void {
  const rule = part === 'firewall-rules' ? ruleId : WHOLE
  const challenge = newChallenge(clearanceSecret(), strength, seconds, rule)
  const language = languageOf(ngx.var.http_accept_language ?? '')
  const toPerson = strength >= 3
  const box = challengeBox(challenge, ngx.var.request_uri ?? '/', toPerson, language)
  const own = sitePage(
    toPerson ? pages.captcha : pages.challenge,
    language,
    403,
    toPerson ? 'CAPTCHA_BOX' : 'CHALLENGE',
    box,
  )
  ngx.status = 403
  if (own === undefined)
    ngx.header['Content-Security-Policy'] =
      "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'; media-src 'self'; img-src 'self'; form-action 'self'; frame-ancestors 'self'"
  answerFile('text/html; charset=utf-8', own ?? challengePage(box, language))
}

/**
 * Tries that one address (of IPv6: its /64) has in a minute, so that sums are not guessed by the thousand. A challenge
 * takes two, one of them by being shown.
 */
const TRIES = 60

function takeAnswer(policy: PolicyDocument): void {
  const target = ngx.var.request_uri ?? ''
  const said = (name: string): string => firstText(ofTarget(target, 'query-parameter', name))
  // Whoever has one address of IPv6 has the whole /64.
  const who = addressKey(ngx.var.remote_addr ?? '').slice(0, 16)
  if (isTooMany(policy.organizationId, `clearance\n${ngx.var.host}\n${who}`, TRIES, 60, 60))
    return answerPage(429, 'rate-limited', policy)
  if (said('shown') !== '') {
    const shown = shownRule(clearanceSecret(), said('shown'))
    if (shown !== undefined) {
      count('challenges_shown')
      tellChallenge(shown, 'begun')
    }
    return answerNothing(204)
  }
  const sound = said('sound') === '' ? undefined : soundOfSeed(clearanceSecret(), said('sound'))
  if (sound !== undefined) return answerFile('audio/wav', sound)
  const won = solved(clearanceSecret(), said('seed'), { nonce: said('nonce'), sum: said('sum'), text: said('text') })
  ngx.header['Location'] = ownPath(said('to'))
  if (won === undefined) {
    count('challenges_failed')
    return answerNothing(302)
  }
  count('challenges_solved')
  tellChallenge(won.rule, 'solved')
  ngx.header['Set-Cookie'] = clearanceCookie(clearanceSecret(), won.strength, won.seconds)
  answerNothing(302)
}

/** Of all that bot management asks for, whatever its reason. */
const WHOLE = 'level'

/** What a visitor's own browser did about a challenge. */
function tellChallenge(rule: string, reason: 'begun' | 'solved'): void {
  const part = rule === WHOLE ? 'bot-management' : 'firewall-rules'
  const told = { part, action: 'challenge', ruleId: rule, reason }
  const weight = weightOf(told, true)
  if (weight > 0) tell(told, weight, true, undefined)
}

/** A path of this host, whatever was asked for: nobody is led elsewhere from here. */
function ownPath(to: string): string {
  if (to.charCodeAt(0) !== 47 || to.charCodeAt(1) === 47 || to.charCodeAt(1) === 92 || to.length > 4000) return '/'
  for (let i = 0; i < to.length; i++) {
    const code = to.charCodeAt(i)
    if (code < 33 || code > 126 || code === 92) return '/'
  }
  return to
}

const firstText = (said: string | string[] | undefined): string =>
  said === undefined ? '' : typeof said === 'string' ? said : (said[0] ?? '')

/** Header filter: what rules add to the answer or take from it. */
export function rewriteAnswer(): void {
  const changes = ngx.ctx.responseHeaders
  if (changes === undefined) return
  for (const { operation, header, value } of changes) {
    const known = ngx.header[header]
    if (operation === 'remove') ngx.header[header] = undefined
    else if (operation === 'set' || known === undefined) ngx.header[header] = value
    else ngx.header[header] = typeof known === 'string' ? [known, value] : [...known, value]
  }
}
