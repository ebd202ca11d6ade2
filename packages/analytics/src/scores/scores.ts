import type { HealthTransition, ProbeReport, ProbeTargets, ScoresSnapshot } from '@fairway/contract'
import type { Config, Log } from '@fairway/platform'
import type { EventStore } from '../store/store.ts'
import { lotsSeed } from '../collector/subnet-hash.ts'
import type { OutsideFeeds } from '../outside-feeds/outside-feeds.ts'
import { buildSnapshot } from './build-snapshot.ts'
import { Health } from './health.ts'
import { MeasurementWindow } from './measurement-window.ts'

export type ScoresOptions = {
  config: Config
  folder: string
  store: EventStore
  /** Hands over to the API; a rejection is tried again with newer figures. */
  publish: (post: { snapshots: ScoresSnapshot[]; transitions: HealthTransition[] }) => Promise<void>
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
/** Organisations of one post: the API takes a thousand, and what stands before it some megabytes. */
const SNAPSHOTS_OF_A_POST = 200
/** So long who is not elected keeps what the elected one has to tell, which may have died of it. */
const UNTOLD_MS = 15_000

/**
 * Scores of every organisation, each `scoreIntervalMs` from the store's window, and at once when probes change their
 * mind. Without the store the last figures stay and the probes' verdicts go on.
 */
export function startScores({
  config,
  folder,
  store,
  publish,
  isElected = () => true,
  outside,
  log,
  now = Date.now,
}: ScoresOptions): Scores {
  const lots = lotsSeed(config)
  const window = new MeasurementWindow(config.scoreWindowSeconds, lots)
  const published = new Map<string, { snapshot: ScoresSnapshot; figures: string; at: number }>()
  const latest = new Map<string, ScoresSnapshot>()
  let transitions: HealthTransition[] = []
  const urgent = new Set<string>()
  let sending: Promise<void> | null = null
  let stopped = false
  let timer: NodeJS.Timeout | undefined
  let storeAway = false
  let failures = 0

  const health = new Health(folder, log, (transition) => {
    log.info({
      ...transition,
      event: transition.hardDown ? 'cdn.down' : 'cdn.up',
      at: new Date(transition.at).toISOString(),
    })
    transitions = [...transitions, transition].slice(-TRANSITIONS_KEPT)
    urgent.add(transition.organizationId)
    // Results of one post may turn several CDNs: they go out together.
    queueMicrotask(() => send([...urgent]))
  })
  const build = (organizationId: string): ScoresSnapshot => {
    const at = now()
    const said = outside?.round(organizationId, latest.get(organizationId) ?? null, at)
    const { snapshot, holds } = buildSnapshot({
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
    return snapshot
  }
  const send = (organizations: Iterable<string>) => {
    if (sending || stopped) return
    const snapshots = [...organizations]
      .map(build)
      .filter(
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
    for (let at = 0; at === 0 || at < snapshots.length; at += SNAPSHOTS_OF_A_POST) {
      const some = snapshots.slice(at, at + SNAPSHOTS_OF_A_POST)
      // All of them go with the first: whoever waits for anything waits for them.
      await publish({ snapshots: some, transitions: at === 0 ? [...told] : [] })
      if (at === 0) transitions = transitions.filter((transition) => !told.includes(transition))
      for (const snapshot of some)
        published.set(snapshot.organizationId, { snapshot, figures: figuresOf(snapshot), at: snapshot.builtAt })
    }
  }
  const round = async () => {
    try {
      await window.refresh(store, now())
      storeAway = false
    } catch (error) {
      if (!storeAway) log.warn({ event: 'scores.store-away', err: error })
      storeAway = true
    }
    send(
      new Set([
        ...window.organizations.keys(),
        ...health.organizations(),
        ...(outside?.organizations() ?? []),
        ...urgent,
      ]),
    )
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

const figuresOf = (snapshot: ScoresSnapshot) => JSON.stringify([snapshot.cdns, snapshot.leftOut])

function isWorthSending(before: { figures: string; at: number } | undefined, snapshot: ScoresSnapshot): boolean {
  return before === undefined || snapshot.builtAt - before.at >= REPEAT_MS || before.figures !== figuresOf(snapshot)
}
