import { tokenProblem } from './api-token.ts'
import { type Ask, firstOf } from './ask.ts'
import type { CompiledApiRule, CompiledSecurity } from './compiled.ts'
import { isAt, isAtAny, parametersOf, pathOf, pathsOf } from './target.ts'
import { decide, note, step, type Verdict, type World } from './verdict.ts'

const PART = 'api-protection'
/** Requests of one token are counted over so many seconds. */
const WINDOW_SECONDS = 60

/** Whether requests for protected paths carry a token of the customer's server. The first rule for a path decides. */
export function byApi({ api }: CompiledSecurity, ask: Ask, world: World, verdict: Verdict): void {
  if (api.length === 0) return
  const target = firstOf(ask('target', ''))
  const path = pathOf(target)
  const paths = pathsOf(target)
  let ended = false
  for (const rule of api) {
    if (ended) step(world, PART, rule.id, rule.name, 'passed-over', '', 'decided')
    else if (!isAtAny(rule.path, paths)) step(world, PART, rule.id, rule.name, 'not-matched', '', '')
    else {
      ended = true
      obey(rule, target, path, world, verdict)
    }
    if (ended && world.trace === undefined) return
  }
}

/**
 * Whether the request shows a token of the first rule for its path that is in order. Whoever holds one is the
 * customer's own program: it is asked for nothing that only a browser can do. Nothing is counted.
 */
export function showsToken({ api }: CompiledSecurity, ask: Ask, now: number): boolean {
  if (api.length === 0) return false
  const target = firstOf(ask('target', ''))
  const path = pathOf(target)
  for (const rule of api) if (isAt(rule.path, path)) return problemOf(rule, target, path, now).problem === ''
  return false
}

function problemOf(rule: CompiledApiRule, target: string, path: string, now: number) {
  const tokens = parametersOf(target, rule.parameter)
  const token = tokens[0]
  if (token === undefined) return { token: '', problem: 'token-missing' }
  // Which of two counts would be for the origin to say.
  if (tokens.length > 1) return { token, problem: 'token-invalid' }
  return { token, problem: tokenProblem(rule.key, path, token, rule.seconds, now) as string }
}

function obey(rule: CompiledApiRule, target: string, path: string, world: World, verdict: Verdict): void {
  const { id, name } = rule
  const found = problemOf(rule, target, path, world.now)
  const { token } = found
  let { problem } = found
  if (problem === '' && world.isTooMany(`${id}\n${token}`, rule.queries, WINDOW_SECONDS, rule.blockSeconds))
    problem = 'over-limit'
  if (problem === '') {
    step(world, PART, id, name, 'matched', 'pass', 'token-valid')
    return
  }
  if (!rule.blocks) {
    step(world, PART, id, name, 'matched', 'simulate', problem)
    if (verdict.action === 'pass') note(verdict, PART, id, 'simulate', problem)
    return
  }
  const action = problem === 'over-limit' ? 'rate-limit' : 'block'
  step(world, PART, id, name, 'matched', action, problem)
  decide(verdict, PART, id, action, problem, action === 'block' ? 403 : 429)
  verdict.seconds = rule.blockSeconds
}

/** Tells what was not looked at, and why. */
export function passApiOver({ api }: CompiledSecurity, world: World, reason: string): void {
  if (world.trace === undefined) return
  for (const { id, name } of api) step(world, PART, id, name, 'passed-over', '', reason)
}
