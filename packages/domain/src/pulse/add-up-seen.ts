import type { PulseSeen } from '@fairway/contract'

const NOTHING: PulseSeen = {
  since: Number.POSITIVE_INFINITY,
  beacons: 0,
  lastAt: null,
  refused: { 'wrong-host': 0, repeated: 0, 'old-key': 0 },
  keys: [],
  hosts: [],
  faults: [],
  plays: { posts: 0, refused: 0, lastAt: null },
  latest: null,
}
const HOSTS_KEPT = 50

/** What several collectors saw of one organisation, as if one had seen all of it. */
export function addUpSeen(several: readonly PulseSeen[]): PulseSeen {
  const [only, ...others] = several
  if (only !== undefined && others.length === 0) return only
  return several.reduce((sum, one) => {
    const latest = (sum.latest?.at ?? 0) >= (one.latest?.at ?? 0) ? sum.latest : one.latest
    return {
      since: Math.min(sum.since, one.since),
      beacons: sum.beacons + one.beacons,
      lastAt: later(sum.lastAt, one.lastAt),
      refused: {
        'wrong-host': sum.refused['wrong-host'] + one.refused['wrong-host'],
        repeated: sum.refused.repeated + one.refused.repeated,
        'old-key': sum.refused['old-key'] + one.refused['old-key'],
      },
      keys: joined([...sum.keys, ...one.keys], ({ key }) => key, addUp),
      hosts: joined([...sum.hosts, ...one.hosts], ({ host }) => host, addUp)
        .toSorted((a, b) => b.lastAt - a.lastAt)
        .slice(0, HOSTS_KEPT),
      faults: joined([...sum.faults, ...one.faults], ({ cdnId }) => cdnId, addUp),
      plays: {
        posts: sum.plays.posts + one.plays.posts,
        refused: sum.plays.refused + one.plays.refused,
        lastAt: later(sum.plays.lastAt, one.plays.lastAt),
      },
      latest,
    }
  }, NOTHING)
}

const later = (a: number | null, b: number | null): number | null =>
  a === null || b === null ? (a ?? b) : Math.max(a, b)

function joined<T>(all: readonly T[], nameOf: (one: T) => string, add: (a: T, b: T) => T): T[] {
  const byName = new Map<string, T>()
  for (const one of all) {
    const known = byName.get(nameOf(one))
    byName.set(nameOf(one), known === undefined ? one : add(known, one))
  }
  return [...byName.values()]
}

/** Counts are added, of times the later one stays; what names the row is the same in both. */
function addUp<T extends { lastAt: number }>(a: T, b: T): T {
  const counts = Object.entries(b).flatMap(([name, value]): [string, number][] => {
    const before = (a as Record<string, unknown>)[name]
    if (typeof value !== 'number' || typeof before !== 'number') return []
    return [[name, name === 'lastAt' ? Math.max(before, value) : before + value]]
  })
  return { ...a, ...Object.fromEntries(counts) }
}
