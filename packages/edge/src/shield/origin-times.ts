import type { OriginTime } from '@fairway/contract'
import { medianOf } from '@fairway/domain'
import type { PolicyDocument } from '@fairway/edge-lua'
import { connectTime, OutgoingRefusal, type OutgoingGate } from '@fairway/platform'

const CONNECT_MS = 5_000
const KEPT = 10
const AT_ONCE = 8
/** Origins that are connected to in one round; with more of them it takes several until each had its turn. */
const A_ROUND = 400

/** How near the origins of shielded domains are, by what connections to them take. */
export type OriginTimes = {
  /** Connects to each origin once. */
  look(): Promise<void>
  /** Of those of the last look. */
  told(): OriginTime[]
}

export function originTimes(gate: OutgoingGate, policies: () => PolicyDocument[]): OriginTimes {
  const seen = new Map<string, { results: (number | null)[]; at: number }>()
  let next = 0
  let turn: string[] = []
  return {
    async look() {
      const wanted = shielded(policies())
      for (const key of seen.keys()) if (!wanted.has(key)) seen.delete(key)
      const all = [...wanted]
      if (next >= all.length) next = 0
      const some = all.slice(next, next + A_ROUND)
      turn = some.map(([domainId]) => domainId)
      next += A_ROUND
      const queue = some.values()
      const work = async () => {
        for (const [domainId, policy] of queue) {
          const took = await connect(gate, policy)
          if (took === undefined) continue
          const kept = seen.get(domainId)
          seen.set(domainId, { results: [...(kept?.results ?? []), took].slice(-KEPT), at: Date.now() })
        }
      }
      await Promise.all(Array.from({ length: AT_ONCE }, work))
    },
    told: () =>
      turn.flatMap((domainId) => {
        const { results, at } = seen.get(domainId) ?? { results: [], at: 0 }
        if (results.length === 0) return []
        const good = results.filter((ms) => ms !== null)
        return { domainId, ms: medianOf(good), samples: good.length, failed: results.length - good.length, at }
      }),
  }
}

/** One policy for each domain: what CDNs do differently is not where the origin is. */
function shielded(policies: readonly PolicyDocument[]): Map<string, PolicyDocument> {
  const found = new Map<string, PolicyDocument>()
  for (const policy of policies)
    if (policy.shielded === true && policy.origin.addresses.length > 0 && !found.has(policy.domainId))
      found.set(policy.domainId, policy)
  return found
}

/** What a connection takes, ms; null when there is none, undefined when it was not tried. */
async function connect(
  gate: OutgoingGate,
  { organizationId, origin }: PolicyDocument,
): Promise<number | null | undefined> {
  try {
    const [host = ''] = origin.addresses
    const peer = await gate.admit({ organizationId, purpose: 'origin' }, { host, port: origin.port })
    const took = await connectTime(peer, CONNECT_MS)
    return took === null ? null : Math.round(took * 100) / 100
  } catch (error) {
    return error instanceof OutgoingRefusal && error.reason === 'too-many' ? undefined : null
  }
}
