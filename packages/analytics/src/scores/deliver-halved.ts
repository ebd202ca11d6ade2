import { ApiRefusal } from '@fairway/platform'

/** What came of handing over; `refused`: each of these was refused by itself, with the answer's status. */
type Delivered<T> = { problems: unknown[]; refused: { one: T; status: number }[] }

/** Refused posts of one round: what the API takes of nobody is no single thing's fault. */
const REFUSALS = 20

/**
 * Hands over posts of several things. What the API refuses is halved until it is one thing that is refused, so that all
 * others go; a post that gets no answer holds up the next one only if that gets none either.
 */
export async function deliverHalved<T>(
  posts: readonly (readonly T[])[],
  put: (some: readonly T[]) => Promise<void>,
): Promise<Delivered<T>> {
  const done: Delivered<T> = { problems: [], refused: [] }
  let left = REFUSALS
  let unanswered = 0
  const waiting = posts.filter((some) => some.length > 0)
  for (let some = waiting.shift(); some !== undefined && unanswered < 2 && left > 0; some = waiting.shift()) {
    try {
      await put(some)
      unanswered = 0
    } catch (error) {
      done.problems.push(error)
      const status = refusalOf(error)
      const [one] = some
      if (status === null) unanswered++
      else {
        left--
        const half = Math.ceil(some.length / 2)
        if (some.length > 1) waiting.unshift(some.slice(0, half), some.slice(half))
        else if (one !== undefined) done.refused.push({ one, status })
      }
    }
  }
  return done
}

/** What stands before the API may want patience of everybody, or does not know us: that is about none of the things. */
function refusalOf(error: unknown): number | null {
  if (!(error instanceof ApiRefusal)) return null
  return [401, 403, 404, 429, 502, 503, 504].includes(error.status) ? null : error.status
}
