import type { Config, Database, Log, Tx } from '@fairway/platform'
import { RECORDINGS_DUE, keepRecordings } from '../live-streams/keep-recordings.ts'
import { startWakeLoop } from '../../loops/wake-loop.ts'
import { forgetOld } from './forget-old.ts'
import { CALM_DUE, tellCalm } from '../nodes/cdn-down.ts'
import { ORIGINS_DUE, watchOrigins } from '../nodes/origin-down.ts'
import { watchPurges } from '../purges/purge-failed.ts'
import { FAILED_DUE, watchFailed } from '../stream-assets/watch-failed.ts'
import { GONE_DUE, watchGone } from '../stream-assets/watch-gone.ts'
import { LIVE_DUE, watchLive } from '../live-streams/watch-live.ts'
import { watchMachine } from './watch-machine.ts'
import { NODES_DUE, TOLD_SECONDS, watchNodes } from './watch-nodes.ts'
import { watchQuotas } from './watch-quotas.ts'

type Watch = {
  name: string
  everyMs: number
  firstAfterMs: number
  /** Each worker looks at its own. */
  isEverywhere?: boolean
  /** Where one question tells whether there is anything to look at: see `WakeLoop`. */
  due?: string
} & (
  | { look: (tx: Tx, log: Log, config: Config) => Promise<void> }
  /** In transactions of its own. */
  | { lookApart: (database: Database) => Promise<void> }
)

const WATCHES: readonly Watch[] = [
  // Right after a start nobody has been heard of for a while.
  { name: 'nodes', everyMs: 3_000, firstAfterMs: TOLD_SECONDS * 1000, due: NODES_DUE, look: watchNodes },
  { name: 'calm', everyMs: 5_000, firstAfterMs: 5_000, due: CALM_DUE, lookApart: tellCalm },
  { name: 'origins', everyMs: 5_000, firstAfterMs: 5_000, due: ORIGINS_DUE, lookApart: watchOrigins },
  { name: 'purges', everyMs: 30_000, firstAfterMs: 10_000, lookApart: watchPurges },
  { name: 'live', everyMs: 3_000, firstAfterMs: 10_000, due: LIVE_DUE, look: watchLive },
  { name: 'failed', everyMs: 3_000, firstAfterMs: 5_000, due: FAILED_DUE, look: watchFailed },
  { name: 'gone', everyMs: 3_000, firstAfterMs: 5_000, due: GONE_DUE, look: watchGone },
  { name: 'quotas', everyMs: 60_000, firstAfterMs: 5_000, look: watchQuotas },
  {
    name: 'machine',
    everyMs: 15_000,
    firstAfterMs: 10_000,
    isEverywhere: true,
    look: (tx, _, config) => watchMachine(tx, config),
  },
  { name: 'recordings', everyMs: 2_000, firstAfterMs: 2_000, due: RECORDINGS_DUE, lookApart: keepRecordings },
  { name: 'old', everyMs: 3_600_000, firstAfterMs: 60_000, lookApart: forgetOld },
]

/** Looks now and then at what nobody reports by itself. */
export function startWatch(config: Config, database: Database, log: Log): AsyncDisposable {
  const watching = WATCHES.map(({ name, everyMs, firstAfterMs, isEverywhere, due, ...watch }) =>
    startWakeLoop(database, log, {
      name: `watch-${name}`,
      pollMs: everyMs,
      firstAfterMs,
      isElected: !isEverywhere,
      ...(due === undefined ? {} : { due }),
      round: () => ('look' in watch ? database.system((tx) => watch.look(tx, log, config)) : watch.lookApart(database)),
    }),
  )
  return {
    async [Symbol.asyncDispose]() {
      await Promise.all(watching.map((one) => one[Symbol.asyncDispose]()))
    },
  }
}
