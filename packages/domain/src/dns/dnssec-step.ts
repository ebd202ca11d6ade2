/** What is known of a signed zone. Times are epoch ms. */
export type DnssecFacts = {
  state: 'waiting' | 'secured' | 'withdrawing'
  keys: readonly { id: string; state: 'published' | 'ready' | 'active' | 'retired'; since: number; atParent: boolean }[]
  /** The parent has some DS, ours or not; null when it could not be asked. */
  parentHasDs: boolean | null
  /** The parent has had a DS since the zone was signed. */
  wasSecured: boolean
  dsTtlSeconds: number
  /** Since when the parent has none. */
  absentSince: number | null
  now: number
}

export type DnssecStep =
  | { do: 'nothing'; dueAt: number | null }
  | { do: 'secured' | 'waiting' | 'unsign' }
  /** The new key can be announced; it takes over; the old one goes. */
  | { do: 'announce' | 'takeOver' | 'drop'; keyId: string }

/** Lifetime of the set of keys, with room for its way to all nodes. */
const KEY_SET_MS = 2 * 3_600_000
/** Longest lifetime of a record and its signature in a cache. */
const LONGEST_TTL_MS = 86_400_000

const NOTHING: DnssecStep = { do: 'nothing', dueAt: null }

/**
 * The next step of signing, unsigning or changing a key that is safe now (RFC 6781 4.1, RFC 7583): no resolver may be
 * left with a DS, a key or a signature that does not fit the others.
 * What only the owner or the parent can do is waited for.
 */
export function dnssecStep(facts: DnssecFacts): DnssecStep {
  if (facts.state === 'withdrawing') return withdrawing(facts)
  // By any key: all of them sign the set of keys, and one that was to take over may be the one that the parent has.
  if (facts.state === 'waiting') return facts.keys.some(({ atParent }) => atParent) ? { do: 'secured' } : NOTHING
  if (facts.parentHasDs === false) return { do: 'waiting' }
  return rolling(facts)
}

function withdrawing({ parentHasDs, wasSecured, dsTtlSeconds, absentSince, now }: DnssecFacts): DnssecStep {
  if (parentHasDs !== false) return NOTHING
  const dueAt = wasSecured ? (absentSince ?? now) + dsTtlSeconds * 1000 : now
  return dueAt <= now ? { do: 'unsign' } : { do: 'nothing', dueAt }
}

/**
 * A key is published, announced when every resolver has it, takes over when the parent has its DS; the old one stays as
 * long as old DS records and signatures may be remembered.
 */
function rolling({ keys, dsTtlSeconds, now }: DnssecFacts): DnssecStep {
  const next = keys.find(({ state }) => state === 'published' || state === 'ready')
  if (next?.state === 'published') return later(next.since + KEY_SET_MS, now, { do: 'announce', keyId: next.id })
  if (next) return next.atParent ? { do: 'takeOver', keyId: next.id } : NOTHING
  const old = keys.find(({ state }) => state === 'retired')
  if (!old || old.atParent) return NOTHING
  return later(old.since + Math.max(LONGEST_TTL_MS, dsTtlSeconds * 1000), now, { do: 'drop', keyId: old.id })
}

const later = (dueAt: number, now: number, step: DnssecStep): DnssecStep =>
  dueAt <= now ? step : { do: 'nothing', dueAt }
