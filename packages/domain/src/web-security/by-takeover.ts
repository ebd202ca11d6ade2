import { addressKey } from './address-key.ts'
import { type Ask, firstOf, textsOf } from './ask.ts'
import { lowerAscii, trimmed } from './bytes.ts'
import type { CompiledFailedLogin, CompiledSecurity } from './compiled.ts'
import { isAtAny, pathsOf } from './target.ts'
import { decide, type LoginAttempt, note, step, type Verdict, type World } from './verdict.ts'

const PART = 'account-takeover-prevention'
const LEAKED = 'x-credential-leaked'

/**
 * Keeps out who has tried too often, and tells the origin of passwords that are known from breaches. The content of a
 * request is looked at only where a rule is about it.
 */
export function byTakeover(compiled: CompiledSecurity, ask: Ask, world: World, verdict: Verdict): void {
  const { failedLogins, credentialStuffing } = compiled
  if (failedLogins.length === 0 && credentialStuffing.length === 0) return
  const paths = pathsOf(firstOf(ask('target', '')))
  byAttempts(failedLogins, paths, ask, world, verdict)
  if (credentialStuffing.length > 0) byPassword(compiled, paths, ask, world, verdict)
}

/** The first rule for a login decides. */
function byAttempts(rules: CompiledFailedLogin[], paths: string[], ask: Ask, world: World, verdict: Verdict): void {
  let ended = false
  for (const rule of rules) {
    const { id, name } = rule
    if (ended) step(world, PART, id, name, 'passed-over', '', 'decided')
    else if (!isAtAny(rule.path, paths) || !rule.methods.includes(firstOf(ask('method', ''))))
      step(world, PART, id, name, 'not-matched', '', '')
    else {
      ended = true
      const attempt = attemptOf(rule, ask)
      const problem = problemOf(attempt, world)
      if (problem === '') {
        step(world, PART, id, name, 'matched', 'pass', 'under-limit')
        verdict.login = attempt
      } else {
        step(world, PART, id, name, 'matched', 'block', problem)
        decide(verdict, PART, id, 'block', problem, 403)
        verdict.seconds = rule.seconds
      }
    }
    if (ended && world.trace === undefined) return
  }
}

function attemptOf(rule: CompiledFailedLogin, ask: Ask): LoginAttempt {
  // Whoever has one address of IPv6 has the whole /64.
  const address = addressKey(firstOf(ask('address', ''))).slice(0, 16)
  const keys = [`${rule.id}\naddress\n${address}`]
  const accounts: string[] = []
  // Of several, the origin takes one: each is counted.
  for (const said of rule.payload === '' ? [] : textsOf(ask(rule.payload, rule.accountField))) {
    // As origins read it: with blanks around it, one account would be many.
    const account = trimmed(lowerAscii(said))
    if (account !== '' && !accounts.includes(account)) accounts.push(account)
  }
  for (const account of accounts) keys.push(`${rule.id}\naccount\n${account}`)
  const only = accounts.length === 1 ? accounts[0] : undefined
  return { rule, keys, known: only === undefined ? '' : `${rule.id}\nknown\n${only}\n${address}`, leaked: false }
}

/** Each attempt is counted under all keys, so that none of them is spared by another. */
function problemOf({ rule, keys, known }: LoginAttempt, world: World): string {
  let problem = ''
  for (let i = 0; i < keys.length; i++) {
    const key = keys[i] ?? ''
    const tooMany = world.isTooMany(`${key}\ntried`, rule.maxAttempts, rule.seconds, rule.seconds)
    const failed = world.isMarked(`${key}\nfailed`)
    if (problem !== '' || (!tooMany && !failed)) continue
    // Others cannot lock somebody out of an account who has signed in from here before.
    if (i > 0 && known !== '' && world.isMarked(known)) continue
    const of = i === 0 ? 'address' : 'account'
    problem = tooMany ? `too-many-attempts-${of}` : `too-many-failures-${of}`
  }
  return problem
}

/** Nobody but the edge says that a password is leaked, or is silent about it. */
function byPassword(
  { credentialStuffing: rules }: CompiledSecurity,
  paths: string[],
  ask: Ask,
  world: World,
  verdict: Verdict,
): void {
  if (verdict.status !== 0) {
    for (const { id, name } of rules) step(world, PART, id, name, 'passed-over', '', 'decided')
    return
  }
  verdict.requestHeaders.push({ operation: 'remove', header: LEAKED, value: '' })
  for (const rule of rules) {
    let isSaid = false
    let isLeaked = false
    for (const password of isAtAny(rule.path, paths) ? textsOf(ask(rule.payload, rule.passwordField)) : []) {
      if (password === '') continue
      isSaid = true
      if (world.isLeaked(password)) isLeaked = true
    }
    if (!isSaid) step(world, PART, rule.id, rule.name, 'not-matched', '', '')
    else if (!isLeaked) step(world, PART, rule.id, rule.name, 'matched', 'pass', 'not-leaked')
    else {
      step(world, PART, rule.id, rule.name, 'matched', 'pass', 'leaked')
      verdict.requestHeaders.push({ operation: 'set', header: LEAKED, value: '1' })
      if (verdict.login !== undefined) verdict.login.leaked = true
      if (verdict.action === 'pass') note(verdict, PART, rule.id, 'pass', 'leaked')
      return
    }
  }
}

/** Tells what was not looked at, and why. */
export function passTakeoverOver(compiled: CompiledSecurity, world: World, reason: string): void {
  if (world.trace === undefined) return
  for (const { id, name } of compiled.failedLogins) step(world, PART, id, name, 'passed-over', '', reason)
  for (const { id, name } of compiled.credentialStuffing) step(world, PART, id, name, 'passed-over', '', reason)
}
