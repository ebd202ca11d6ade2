import { type Said, TrustWorld, type Visitors, visitorsOf } from './trust-world.ts'

const dead = (times: number): Said => ({ cdn: 'polaris', ok: false, rttMs: 0, times })
const stranger = (block: number, network: string, country = 'GB', city = 'City0') =>
  visitorsOf({ country, city, network, block: 30_000 + block })

export type Attack = {
  name: string
  /** Who sends what in one round of two seconds. */
  senders: { from: Visitors; times: number }[]
  /** Who may be moved by it. */
  isInside: (visitors: Visitors) => boolean
  /** The score key that the incident names. */
  place: string
}

const SENDERS = 1_000
const NETWORKS = 300
const ROUNDS = 60

/**
 * Strangers who say that a CDN is dead, over two minutes: one /24 a million times, ten /24s of one network a hundred
 * thousand times each, a thousand addresses in three hundred networks of one country.
 */
export const ATTACKS: readonly Attack[] = [
  {
    name: 'one /24, 1,000,000 samples',
    senders: [{ from: stranger(0, 'AS101'), times: Math.ceil(1_000_000 / ROUNDS) }],
    isInside: () => false,
    place: 'country:GB|AS101',
  },
  {
    name: 'ten /24s of one network, 100,000 samples each',
    senders: Array.from({ length: 10 }, (_, i) => ({
      from: stranger(i, 'AS101'),
      times: Math.ceil(100_000 / ROUNDS),
    })),
    isInside: ({ network, country }) => network === 'AS101' && country === 'GB',
    place: 'country:GB|AS101',
  },
  {
    name: '1,000 addresses of 300 networks of one country',
    senders: Array.from({ length: SENDERS }, (_, i) => ({
      from: stranger(i, `AS${5000 + (i % NETWORKS)}`, 'GB', `City${i % 4}`),
      times: 4,
    })),
    isInside: ({ country }) => country === 'GB',
    place: 'country:GB',
  },
]

/** Until every level has its samples. */
export const WARM_UP_SECONDS = 60

export type Damage = { moved: number; outside: number; of: number; named: boolean }

/** What an attack of two minutes does: /24s that ever left the healthy CDN, and whether somebody is told. */
export function damageOf(world: TrustWorld, attack: Attack): Damage {
  world.run(WARM_UP_SECONDS)
  const before = new Set(world.movedOff('polaris'))
  world.strangers = () => attack.senders.map(({ from, times }) => ({ from, said: dead(times) }))
  const moved = new Set<Visitors>()
  let named = false
  let rounds = 0
  world.run(ROUNDS * 2, () => {
    // Answers of every third round: asking takes longer than measuring.
    if (rounds++ % 3 !== 0) return
    for (const visitors of world.movedOff('polaris')) if (!before.has(visitors)) moved.add(visitors)
    named ||=
      world.snapshot?.disagreements?.some((one) => one.cdnId === 'polaris' && one.place === attack.place) ?? false
  })
  const outside = [...moved].filter((visitors) => !attack.isInside(visitors)).length
  return { moved: moved.size, outside, of: world.visitors.length, named }
}
