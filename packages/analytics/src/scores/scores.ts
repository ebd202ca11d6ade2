import type { HealthTransition, ProbeReport, ProbeTargets, ScoresSnapshot } from '@fairway/contract'
import type { Config, Log } from '@fairway/platform'
import type { EventStore } from '../store/store.ts'
import { lotsSeed } from '../collector/subnet-hash.ts'
import type { OutsideFeeds } from '../outside-feeds/outside-feeds.ts'
import { buildSnapshot } from './build-snapshot.ts'
import { deliverHalved } from './deliver-halved.ts'
import { Health } from './health.ts'
import { KnownSums } from './known-sums.ts'
import { MeasurementWindow } from './measurement-window.ts'

export type ScoresOptions = {
  config: Config
  folder: string
  store: EventStore
  /** Hands over to the API; a rejection is tried again with newer figures. */
  publish: (post: { snapshots: ScoresSnapshot[]; transitions: HealthTransition[] }) => Promise<void>
  /** Rows brought to the store so far, where nobody else brings any; null while more are on their way. */
  stored?: () => number | null
  /** Of several that build, one publishes. */
  isElected?: () => boolean
  outside?: Pick<OutsideFeeds, 'round' | 'organizations'>
  log: Log
  now?: () => number
}

export type Scores = AsyncDisposable & {
  probes(report: ProbeReport): void
  targets(targets: ProbeTargets): void
  snapshot(organizationId: string): ScoresSnapshot | null
  /** Publishes now, as whoever has just been elected does. */
  publishAll(): void
}

/** Figures that did not change are published again so often that nobody takes them for stale. */
const REPEAT_MS = 10_000
const TRANSITIONS_KEPT = 1000
/** Organisations, and bytes, of one post: the API takes a thousand, in four megabytes. */
const SNAPSHOTS_OF_A_POST = 200
const BYTES_OF_A_POST = 2_500_000
/** That places are left out for their size is told so often. */
const TOLD_AGAIN_MS = 3_600_000
/** So long who is not elected keeps what the elected one has to tell, which may have died of it. */
const UNTOLD_MS = 15_000
/** A store that hangs must not make name servers take the collector for silent, which they do after 15 s. */
const PATIENCE_MS = 5_000
/** Before the first answer there are no figures to go on with, and to publish none moves visitors. */
const FIRST_PATIENCE_MS = 10_000

/**
 * Scores of every organisation, each `scoreIntervalMs` from the store's window, and at once when probes change their
 * mind. While the store is away or hangs the last figures stay and the probes' verdicts go on.
 */
export function startScores({
  config,
  folder,
  store,
  publish,
  stored = () => null,
  isElected = () => true,
  outside,
  log,
  now = Date.now,
}: ScoresOptions): Scores {
  const lots = lotsSeed(config)
  const window = new MeasurementWindow(config.scoreWindowSeconds, lots)
  const published = new Map<string, { figures: string; at: number }>()
  /** Whose scores the API has refused: they go by themselves, after all others. */
  const refused = new Set<string>()
  const cutToldAt = new Map<string, number>()
  const latest = new Map<string, ScoresSnapshot>()
  const known = new Map<string, KnownSums>()
  let transitions: HealthTransition[] = []
  const urgent = new Set<string>()
  /** Of these nothing has been built since. */
  const turned = new Set<string>()
  let sending: Promise<void> | null = null
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let storeAway = false
  let refreshing: Promise<void> | null = null
  let patienceMs = FIRST_PATIENCE_MS
  let failures = 0

  const health = new Health(folder, log, (transition) => {
    log.info({
      ...transition,
      event: transition.hardDown ? 'cdn.down' : 'cdn.up',
      at: new Date(transition.at).toISOString(),
    })
    transitions = [...transitions, transition].slice(-TRANSITIONS_KEPT)
    urgent.add(transition.organizationId)
    turned.add(transition.organizationId)
    // Results of one post may turn several CDNs: they go out together.
    queueMicrotask(() => {
      const together = [...turned]
      turned.clear()
      if (together.length > 0) send(together)
    })
  })
  const build = (organizationId: string): ScoresSnapshot => {
    const at = now()
    const said = outside?.round(organizationId, latest.get(organizationId) ?? null, at)
    const sums = known.get(organizationId) ?? new KnownSums()
    known.set(organizationId, sums)
    const { snapshot, holds, cutPlaces } = buildSnapshot({
      known: sums,
      ...(said ? { outside: said } : {}),
      organizationId,
      measured: window.organizations.get(organizationId),
      health: health.of(organizationId, at),
      previous: latest.get(organizationId) ?? null,
      lifetimeSeconds: config.scoreWindowSeconds,
      shortSeconds: config.scoreShortWindowSeconds,
      lots,
      now: at,
    })
    for (const [cdnId, isHolding] of holds) health.step(organizationId, cdnId, isHolding, at)
    latest.set(organizationId, snapshot)
    if (cutPlaces > 0 && at - (cutToldAt.get(organizationId) ?? 0) > TOLD_AGAIN_MS) {
      cutToldAt.set(organizationId, at)
      log.warn({ event: 'scores.cut', organizationId, cutPlaces })
    }
    return snapshot
  }
  const send = (organizations: Iterable<string>) => {
    if (stopped) return
    // Players are steered by what is built, and CDNs come back in steps of it, whatever the API does.
    const built = [...organizations].map(build)
    if (sending) return
    const snapshots = built.filter(
      (snapshot) =>
        urgent.has(snapshot.organizationId) || isWorthSending(published.get(snapshot.organizationId), snapshot),
    )
    if (!isElected()) {
      // It is ready to go on at once: figures and verdicts are its own.
      transitions = transitions.filter((transition) => now() - transition.at < UNTOLD_MS)
      published.clear()
      urgent.clear()
      return
    }
    if (snapshots.length === 0 && transitions.length === 0) return
    const told = transitions
    for (const snapshot of snapshots) urgent.delete(snapshot.organizationId)
    sending = post(snapshots, told)
      .then(
        () => void (failures = 0),
        (error: unknown) => {
          if (failures++ % 30 === 0) log.warn({ event: 'scores.not-published', err: error })
        },
      )
      .finally(() => {
        sending = null
        if (urgent.size > 0) send([...urgent])
      })
  }
  const post = async (snapshots: readonly ScoresSnapshot[], told: readonly HealthTransition[]) => {
    const areTold = (some: readonly HealthTransition[]) => {
      transitions = transitions.filter((transition) => !some.includes(transition))
    }
    // By themselves: whatever is wrong with one of the two, the other goes.
    const news = await deliverHalved([told], async (some) => {
      await publish({ snapshots: [], transitions: [...some] })
      areTold(some)
    })
    // What does not even parse is never taken.
    areTold(news.refused.flatMap(({ one, status }) => (status === 400 ? [one] : [])))
    const scores = await deliverHalved(postsOf(snapshots, refused), async (some) => {
      await publish({ snapshots: [...some], transitions: [] })
      for (const snapshot of some) {
        refused.delete(snapshot.organizationId)
        published.set(snapshot.organizationId, { figures: figuresOf(snapshot), at: snapshot.builtAt })
      }
    })
    for (const { one } of scores.refused) refused.add(one.organizationId)
    const [problem] = [...news.problems, ...scores.problems]
    if (problem !== undefined) throw problem
  }
  const refresh = async () => {
    try {
      await window.refresh(store, now(), stored())
      storeAway = false
    } catch (error) {
      if (!storeAway) log.warn({ event: 'scores.store-away', err: error })
      storeAway = true
    }
    refreshing = null
  }
  const round = async () => {
    refreshing ??= refresh()
    await settledWithin(refreshing, patienceMs)
    patienceMs = Math.min(config.scoreIntervalMs, PATIENCE_MS)
    const named = new Set([
      ...window.organizations.keys(),
      ...health.organizations(),
      ...(outside?.organizations() ?? []),
      ...urgent,
    ])
    for (const organizationId of known.keys()) if (!named.has(organizationId)) known.delete(organizationId)
    send(named)
  }
  const loop = () => {
    const started = performance.now()
    void round().finally(() => {
      if (!stopped) timer = setTimeout(loop, Math.max(50, config.scoreIntervalMs - (performance.now() - started)))
    })
  }
  loop()
  return {
    probes: (report) => health.take(report, now()),
    targets: (targets) => health.keepOnly(targets, now()),
    snapshot: (organizationId) => latest.get(organizationId) ?? null,
    publishAll: () => send([...latest.keys()]),
    async [Symbol.asyncDispose]() {
      stopped = true
      clearTimeout(timer)
      await sending
    },
  }
}

/** As many to a post as it takes; what was `apart` before, or is too large, goes alone and last. */
function postsOf(snapshots: readonly ScoresSnapshot[], apart: ReadonlySet<string>): ScoresSnapshot[][] {
  const posts: ScoresSnapshot[][] = []
  let room = 0
  for (const snapshot of snapshots.toSorted(
    (a, b) => Number(apart.has(a.organizationId)) - Number(apart.has(b.organizationId)),
  )) {
    const bytes = Buffer.byteLength(JSON.stringify(snapshot)) + 1
    const last = posts.at(-1)
    const fits = bytes <= room && !apart.has(snapshot.organizationId)
    if (fits && last !== undefined && last.length < SNAPSHOTS_OF_A_POST) {
      last.push(snapshot)
      room -= bytes
    } else {
      posts.push([snapshot])
      room = BYTES_OF_A_POST - bytes
    }
  }
  return posts
}

async function settledWithin(work: Promise<void>, ms: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const timer = setTimeout(resolve, ms)
  await Promise.race([work, promise])
  clearTimeout(timer)
}

const figuresOf = (snapshot: ScoresSnapshot) => JSON.stringify([snapshot.cdns, snapshot.leftOut])

function isWorthSending(before: { figures: string; at: number } | undefined, snapshot: ScoresSnapshot): boolean {
  return (
    before === undefined ||
    Math.abs(snapshot.builtAt - before.at) >= REPEAT_MS ||
    before.figures !== figuresOf(snapshot)
  )
}
