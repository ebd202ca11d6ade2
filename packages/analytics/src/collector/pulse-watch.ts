import type { PulseRefusal, PulseSeen } from '@fairway/contract'

const HOSTS_KEPT = 50
const KEYS_KEPT = 10
/** A page that measures tells of it at once; a thousand at the same time are told together. */
const GATHER_MS = 250

type Counts = { beacons: number; refused: number; lastAt: number }
type Organization = {
  beacons: number
  lastAt: number | null
  refused: Map<PulseRefusal, number>
  keys: Map<string, { beacons: number; lastAt: number }>
  hosts: Map<string, Counts>
  faults: Map<string, { cors: number; http: number; lastAt: number }>
  plays: { posts: number; refused: number; lastAt: number | null }
  latest: { at: number; sent: string; lines: string } | null
  followers: Set<() => void>
}

/**
 * What comes of each organisation's beacons, counted in memory since the start: which keys, whose pages, what was
 * refused. Whoever follows is told as it happens.
 */
export class PulseWatch {
  readonly #since: number
  readonly #organizations = new Map<string, Organization>()

  constructor(now: number) {
    this.#since = now
  }

  taken(organizationId: string, beacon: { key: string; host: string; sent: string; lines: string }, at: number): void {
    const own = this.#of(organizationId)
    own.beacons++
    own.lastAt = at
    own.latest = { at, sent: beacon.sent, lines: beacon.lines }
    const key = own.keys.get(beacon.key)
    if (key) {
      key.beacons++
      key.lastAt = at
    } else keepNewest(own.keys, beacon.key, { beacons: 1, lastAt: at }, KEYS_KEPT)
    hostOf(own, beacon.host, at).beacons++
    tell(own)
  }

  refused(organizationId: string, reason: PulseRefusal, host: string, at: number): void {
    const own = this.#of(organizationId)
    own.refused.set(reason, (own.refused.get(reason) ?? 0) + 1)
    if (reason === 'wrong-host') hostOf(own, host, at).refused++
    tell(own)
  }

  faulty(organizationId: string, cdnId: string, fault: 'cors' | 'http', at: number): void {
    const own = this.#of(organizationId)
    const known = own.faults.get(cdnId) ?? { cors: 0, http: 0, lastAt: at }
    known[fault]++
    known.lastAt = at
    own.faults.set(cdnId, known)
    tell(own)
  }

  /** A player told of a view. */
  played(organizationId: string, at: number): void {
    const own = this.#of(organizationId)
    own.plays = { ...own.plays, posts: own.plays.posts + 1, lastAt: at }
    tell(own)
  }

  /** A player told of more rows than are kept of one network, or of the organisation. */
  playRefused(organizationId: string): void {
    const own = this.#of(organizationId)
    own.plays = { ...own.plays, refused: own.plays.refused + 1 }
    tell(own)
  }

  seen(organizationId: string): PulseSeen {
    const own = this.#of(organizationId)
    return {
      since: this.#since,
      beacons: own.beacons,
      lastAt: own.lastAt,
      refused: {
        'wrong-host': own.refused.get('wrong-host') ?? 0,
        repeated: own.refused.get('repeated') ?? 0,
        'old-key': own.refused.get('old-key') ?? 0,
      },
      keys: [...own.keys].map(([key, counts]) => ({ key, ...counts })),
      hosts: [...own.hosts].map(([host, counts]) => ({ host, ...counts })).sort((a, b) => b.lastAt - a.lastAt),
      faults: [...own.faults].map(([cdnId, counts]) => ({ cdnId, ...counts })),
      plays: own.plays,
      latest: own.latest && {
        at: own.latest.at,
        sent: own.latest.sent,
        stored: own.latest.lines
          .trim()
          .split('\n')
          .map((line): Record<string, unknown> => JSON.parse(line)),
      },
    }
  }

  /** Calls back soon after each change; answers a function that ends it. */
  follow(organizationId: string, changed: () => void): () => void {
    let timer: NodeJS.Timeout | null = null
    const follower = () => {
      timer ??= setTimeout(() => ((timer = null), changed()), GATHER_MS)
    }
    const { followers } = this.#of(organizationId)
    followers.add(follower)
    return () => {
      followers.delete(follower)
      if (timer) clearTimeout(timer)
    }
  }

  #of(organizationId: string): Organization {
    const known = this.#organizations.get(organizationId)
    if (known) return known
    const made: Organization = {
      beacons: 0,
      lastAt: null,
      refused: new Map(),
      keys: new Map(),
      hosts: new Map(),
      faults: new Map(),
      plays: { posts: 0, refused: 0, lastAt: null },
      latest: null,
      followers: new Set(),
    }
    this.#organizations.set(organizationId, made)
    return made
  }
}

function tell({ followers }: Organization): void {
  for (const follower of followers) follower()
}

function hostOf({ hosts }: Organization, host: string, at: number): Counts {
  const known = hosts.get(host) ?? { beacons: 0, refused: 0, lastAt: at }
  known.lastAt = at
  if (!hosts.has(host)) keepNewest(hosts, host, known, HOSTS_KEPT)
  return known
}

/** A stranger may name any number of hosts: who spoke least of late makes room. */
function keepNewest<T extends { lastAt: number; beacons: number }>(
  all: Map<string, T>,
  name: string,
  value: T,
  most: number,
): void {
  if (all.size >= most) {
    // Hosts whose beacons were taken stay before those that were only refused.
    const [oldest] = [...all].sort(
      (a, b) => Number(a[1].beacons > 0) - Number(b[1].beacons > 0) || a[1].lastAt - b[1].lastAt,
    )
    if (oldest) all.delete(oldest[0])
  }
  all.set(name, value)
}
