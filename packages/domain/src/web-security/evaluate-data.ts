import type { Content } from './api-schema/shape.ts'
import { askOf, type PlainRequest } from './ask.ts'
import type { CompiledSecurity } from './compiled.ts'
import type { LookedUp } from './crawlers.ts'
import type { Inspection } from './rule-sets/findings.ts'
import { evaluate } from './evaluate.ts'
import { type Matched, matchedBy } from './matched.ts'
import type { Step, Verdict } from './verdict.ts'

/** The state that a request meets, as data. */
export type PlainWorld = {
  now: number
  /** The hardest challenge that the visitor has solved; 0 for none. */ cleared: number
  /** Limits that are exceeded: beginnings of their keys, rule ids. */ exceeded: string[]
  /** What the rule set finds in the request, if it is asked. */ inspection: Inspection
  /** What looking up has said of whoever calls itself a crawler. */ lookedUp: LookedUp
  /** Passwords that are known from breaches. */ leaked: string[]
}

/** A verdict over data alone, with its trace and what it is about: for whoever has no live request. */
export function evaluateData(
  compiled: CompiledSecurity,
  request: PlainRequest,
  world: PlainWorld,
): { verdict: Verdict; trace: Step[]; matched: Matched | undefined } {
  const trace: Step[] = []
  const isExceeded = (key: string): boolean => {
    for (const rule of world.exceeded) if (key.startsWith(rule)) return true
    return false
  }
  const ask = askOf(request)
  const verdict = evaluate(compiled, ask, {
    now: world.now,
    isTooMany: (key) => isExceeded(key),
    isMarked: (key) => isExceeded(key),
    isLeaked: (password) => world.leaked.includes(password),
    isCleared: (strength) => world.cleared >= strength,
    lookedUp: () => world.lookedUp,
    inspect: () => world.inspection,
    content: () => contentOf(request),
    trace,
  })
  return { verdict, trace, matched: matchedBy(compiled, verdict, ask) }
}

function contentOf({ body, bodySize, bodyState = 'whole' }: PlainRequest): Content {
  const size = bodySize < 0 ? 0 : bodySize
  return body === undefined
    ? { text: '', size, state: size === 0 ? 'whole' : 'unknown' }
    : { text: body, size: bodyState === 'whole' ? body.length : size, state: bodyState }
}
