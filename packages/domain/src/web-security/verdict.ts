import type { Content } from './api-schema/shape.ts'
import type { CompiledFailedLogin, CompiledOrigin, CompiledRuleSets, HeaderChange } from './compiled.ts'
import type { LookedUp } from './crawlers.ts'
import type { Finding, Inspection } from './rule-sets/findings.ts'

export type Action = 'pass' | 'block' | 'rate-limit' | 'redirect' | 'challenge' | 'simulate'
export type Part =
  | ''
  | 'access-control'
  | 'bot-management'
  | 'firewall-rules'
  | 'api-protection'
  | 'account-takeover-prevention'
  | 'crs-rules'
  | 'http-header-rewrite'
  | 'origin-rules'

/** What one part or rule made of a request. An empty action is none. */
export type Step = {
  part: Part
  ruleId: string
  name: string
  outcome: 'matched' | 'not-matched' | 'passed-over' | 'off'
  action: '' | Action
  reason: string
}

/** A login that goes on to the origin, and what its answer is counted under. */
export type LoginAttempt = {
  rule: CompiledFailedLogin
  /** Of the address, and of the account where it is known. */ keys: string[]
  /** What remembers that this account has signed in from here; empty without an account. */ known: string
  /** Its password is known from a breach. */ leaked: boolean
}

export type Verdict = {
  /** What becomes of the request: `pass` lets it go on, `simulate` too. */ action: Action
  /** What decided; empty when nothing did. */ part: Part
  ruleId: string
  reason: string
  /** Of the answer that the edge gives itself; 0 when the request goes on. */ status: number
  location: string
  /** Of a challenge: how hard, and for how long it is remembered. */ strength: number
  seconds: number
  /** Of the rule sets: what counted, and its sum. */ score: number
  findings: Finding[]
  requestHeaders: HeaderChange[]
  responseHeaders: HeaderChange[]
  /** Of a request that does not fit its schema: the field, where it stands. */ about:
    | { field: string; name: string }
    | undefined
  /** The answer of the origin is to be judged. */ login: LoginAttempt | undefined
  originId: string
  /** A rule was left out: its pattern, from before there was a bound for them, would have taken too long. */
  isPartial: boolean
  origin: CompiledOrigin | undefined
}

/** What a verdict depends on besides policy and request. */
export type World = {
  /** Epoch seconds. */ now: number
  /**
   * Counts a request and says whether it is too many: more than so many in the last seconds, or within the block that
   * follows.
   */
  isTooMany: (key: string, requests: number, seconds: number, blockSeconds: number) => boolean
  /** Holds the request against the rule set. Asked once at most, and only of what nothing else has decided. */
  inspect: (ruleSets: CompiledRuleSets) => Inspection
  /** Whether the visitor has solved a challenge at least so hard. */
  isCleared: (strength: number) => boolean
  /** What looking the visitor's address up has said of a crawler's name. Asked of requests that bear it only. */
  lookedUp: (agent: string) => LookedUp
  /** Whether what was remembered under a key still holds: a block, or a visitor known to an account. */
  isMarked: (key: string) => boolean
  /** Whether a password is among those of breaches. */ isLeaked: (password: string) => boolean
  /** What the request carries. */ content: () => Content
  /** Gathers what was looked at, where somebody wants to know. */
  trace: Step[] | undefined
}

/** What the log tells of a request that goes on. */
export function note(verdict: Verdict, part: Part, ruleId: string, action: Action, reason: string): void {
  verdict.part = part
  verdict.ruleId = ruleId
  verdict.action = action
  verdict.reason = reason
}

/** The edge answers itself. */
export function decide(
  verdict: Verdict,
  part: Part,
  ruleId: string,
  action: Action,
  reason: string,
  status: number,
): void {
  verdict.part = part
  verdict.ruleId = ruleId
  verdict.action = action
  verdict.reason = reason
  verdict.status = status
}

export function step(
  world: World,
  part: Part,
  ruleId: string,
  name: string,
  outcome: Step['outcome'],
  action: '' | Action,
  reason: string,
): void {
  if (world.trace !== undefined) world.trace.push({ part, ruleId, name, outcome, action, reason })
}
