import type { PulseRegistration } from '@fairway/contract'
import { askCollector, collectorsOf, streamTlsUntil, type Config, type Database, type Log } from '@fairway/platform'
import { beaconSettings } from './beacon-settings.ts'
import { oldKeys, ownPulse, pulseOrganizations } from './store.ts'

const RETRY_MS = 1_000
/** The collector keeps what it was told; this is for one that has lost its disk. */
const EVERYTHING_AGAIN_MS = 600_000
const TIMEOUT_MS = 3_000

/**
 * Tells every collector which beacon keys there are and what each may measure: everything at the start, and whatever
 * changes, until it has taken it.
 */
export function startPulsePush(config: Config, database: Database, log: Log): AsyncDisposable {
  const all = new AsyncDisposableStack()
  // Each by itself: one that is away keeps no other waiting.
  for (const at of collectorsOf(config)) all.use(pushTo(at, config, database, log))
  return all
}

function pushTo(collector: string, config: Config, database: Database, log: Log): AsyncDisposable {
  const waiting = new Set<string>()
  const state = {
    stopped: false,
    failing: false,
    everything: true,
    running: null as Promise<void> | null,
    retry: null as NodeJS.Timeout | null,
  }
  const wake = () => void (state.running ??= drain().finally(() => (state.running = null)))
  const drain = async () => {
    while (!state.stopped && (state.everything || waiting.size)) {
      try {
        if (state.everything) for (const id of await database.system(pulseOrganizations)) waiting.add(id)
        state.everything = false
        for (const id of waiting) {
          if (state.stopped) return
          waiting.delete(id)
          await pushOne(collector, config, database, id).catch((error: unknown) => {
            waiting.add(id)
            throw error
          })
        }
        state.failing = false
      } catch (error) {
        if (!state.failing) log.warn({ event: 'pulse.not-pushed', collector, err: error })
        state.failing = true
        state.retry = setTimeout(wake, RETRY_MS)
        return
      }
    }
  }
  const listener = database.listen('pulse', (organizationId) => {
    // Empty: notifications may have been missed.
    if (organizationId) waiting.add(organizationId)
    else state.everything = true
    if (!state.failing) wake()
  })
  const timer = setInterval(() => {
    state.everything = true
    wake()
  }, EVERYTHING_AGAIN_MS)
  return {
    async [Symbol.asyncDispose]() {
      state.stopped = true
      clearInterval(timer)
      if (state.retry) clearTimeout(state.retry)
      await listener[Symbol.asyncDispose]()
      await state.running
    },
  }
}

async function pushOne(collector: string, config: Config, database: Database, organizationId: string): Promise<void> {
  const registration = await database.system(async (tx): Promise<PulseRegistration | null> => {
    const row = await ownPulse(tx, organizationId)
    if (!row) return null
    return {
      organizationId,
      keys: [
        { key: row.key, until: null },
        ...(await oldKeys(tx, organizationId)).map(({ key, ends_at }) => ({ key, until: ends_at.getTime() })),
      ],
      hosts: row.hosts,
      settings: await beaconSettings(tx, config, row, (await streamTlsUntil(tx, config)) > Date.now()),
    }
  })
  if (!registration) return
  const response = await askCollector(config, `${collector}/pulse/`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(registration),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  })
  await response.arrayBuffer()
  if (!response.ok) throw new Error(`the collector answered ${response.status}`)
}
