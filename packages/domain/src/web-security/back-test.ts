import type { Location, RecordedRequest } from '@fairway/contract'
import { locationKeys } from '../steering/places.ts'
import { askOf, type Ask, type PlainRequest } from './ask.ts'
import type { CompiledSecurity } from './compiled.ts'
import { evaluate } from './evaluate.ts'
import type { Verdict } from './verdict.ts'
import { REDACTED } from './redact.ts'
import { tooMany } from './sliding-window.ts'
import { inBytes } from './utf8.ts'

/** What one set of rules makes of one recorded request. */
export type Judged = {
  action: Verdict['action']
  part: Verdict['part']
  ruleId: string
  /** The visitor is not let through. */ stopped: boolean
  /** Something was looked at that is not kept: live, it may be otherwise. */ uncertain: boolean
}

type Window = { window: number; current: number; before: number; blockedUntil: number }

/**
 * Judges recorded requests, in the order in which they came, by the evaluator that the edge runs. Rate limits count
 * those that are recorded, each as often as it stands for.
 */
export function backTester(
  compiled: CompiledSecurity,
): (request: RecordedRequest, host: string, method: string, location: Location, at: number) => Judged {
  const windows = new Map<string, Window>()
  return (recorded, host, method, location, at) => {
    const now = Math.floor(at / 1000)
    let uncertain = false
    const plain = plainOf(recorded, host, method, location)
    const said = askOf(plain)
    const ask: Ask = (field, name) => {
      if (field === 'body-size' && plain.bodySize < 0) return undefined
      const answer = said(field, name)
      if (typeof answer === 'string' ? answer.includes(REDACTED) : answer?.some((one) => one.includes(REDACTED)))
        uncertain = true
      return answer
    }
    const verdict = evaluate(compiled, ask, {
      now,
      isTooMany: (key, requests, seconds, blockSeconds) =>
        isTooMany(windows, key, { requests, seconds, blockSeconds }, at / 1000, recorded.weight),
      // What a recorded request had in it is not kept, so no login of it is known.
      isMarked: () => false,
      isLeaked: () => false,
      // Who was who then is not kept: crawlers are known by their network.
      lookedUp: () => {
        uncertain = true
        return 'off'
      },
      isCleared: (strength) => recorded.cleared >= strength,
      // Bodies and secrets are not recorded, so the rule set is not asked: its findings are the same before and after.
      inspect: () => ({ findings: [], failed: '', cut: false }),
      content: () => ({
        text: '',
        size: Math.max(plain.bodySize, 0),
        state: plain.bodySize === 0 ? 'whole' : 'unknown',
      }),
      trace: undefined,
    })
    const { action, part, ruleId } = verdict
    return { action, part, ruleId, stopped: verdict.status !== 0, uncertain }
  }
}

/** The same count in two windows side by side as the edge keeps. */
function isTooMany(
  windows: Map<string, Window>,
  key: string,
  limit: { requests: number; seconds: number; blockSeconds: number },
  now: number,
  weight: number,
): boolean {
  const one = windows.get(key) ?? { window: 0, current: 0, before: 0, blockedUntil: 0 }
  windows.set(key, one)
  if (one.blockedUntil > now) return true
  const window = Math.floor(now / limit.seconds)
  if (one.window !== window) {
    one.before = one.window === window - 1 ? one.current : 0
    one.current = 0
    one.window = window
  }
  one.current += weight
  if (!tooMany(one.before, one.current, now / limit.seconds - window, limit.requests)) return false
  one.blockedUntil = now + limit.blockSeconds
  return true
}

function plainOf(request: RecordedRequest, host: string, method: string, location: Location): PlainRequest {
  return inBytes({
    address: request.address,
    continent: location.continent,
    country: location.country ?? '',
    region: location.region ?? '',
    city: location.city ?? '',
    networks: locationKeys(location).networks,
    host,
    method,
    scheme: request.scheme,
    target: request.target,
    protocol: request.protocol,
    tlsVersion: request.tlsVersion,
    bodySize: request.bodySize,
    headers: request.headers.map(({ name, value }) => ({ name: name.toLowerCase(), value })),
  })
}

const SESSION = ['sess', 'sid', 'auth', 'token', 'login', 'user', 'wordpress_logged_in', 'jwt']

/** Whether a request says of itself that its visitor has signed in: what it shows is not kept, its name is. */
export function isSignedIn({ headers }: Pick<RecordedRequest, 'headers'>): boolean {
  return headers.some(({ name, value }) => {
    if (name === 'authorization') return true
    if (name !== 'cookie') return false
    return value.split(';').some((part) => {
      const cookie = part
        .slice(0, Math.max(part.indexOf('='), 0))
        .trim()
        .toLowerCase()
      return cookie !== 'fairway_clearance' && SESSION.some((word) => cookie.includes(word))
    })
  })
}
