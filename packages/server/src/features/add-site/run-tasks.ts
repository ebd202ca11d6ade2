import type { Config, Database, Log, OutgoingGate } from '@fairway/platform'
import { notifyConsole } from '../../http/commit-change.ts'
import { startLeasedWork } from '../../loops/leased-work.ts'
import type { RunningLoop } from '../../loops/wake-loop.ts'
import { checkNameservers } from './check-nameservers.ts'
import { compareServers } from './parity/compare-servers.ts'
import { scanSite } from './scan/scan-site.ts'
import {
  endTask,
  giveUpTasks,
  PLACES,
  releaseTask,
  takeTasks,
  tasksDue,
  writeProgress,
  type TakenTask,
  type TaskClass,
  type TaskEnd,
  type TaskKind,
} from './task-store.ts'
import type { TaskNeeds } from './task-needs.ts'

const TASKS: Record<TaskKind, (needs: TaskNeeds) => Promise<TaskEnd>> = {
  scan: scanSite,
  parity: compareServers,
  nameservers: checkNameservers,
}

const PROGRESS_MS = 200
const HEARTBEAT_MS = 3_000

/**
 * Does the work that sites ask for. Every task is a row: it survives a restart, and several workers share them by
 * leases.
 */
export function startSiteTasks(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  const start = (name: string, of: TaskClass) =>
    startLeasedWork<TakenTask>(database, log, {
      name,
      channel: 'site-task',
      atOnce: PLACES[of].all,
      due: `SELECT ${tasksDue(of)}`,
      async take(tx, limit) {
        for (const { organization_id, site_id } of await giveUpTasks(tx))
          await notifyConsole(tx, { organizationId: organization_id, kind: 'version', siteId: site_id })
        return takeTasks(tx, of, limit)
      },
      work: (task, stopped) => runTask({ config, gate, database }, log, task, stopped),
    })
  const [scans, looks] = [start('site-task', 'scans'), start('site-look', 'looks')]
  return {
    lastProblem: () => scans.lastProblem() ?? looks.lastProblem(),
    wake() {
      scans.wake()
      looks.wake()
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([scans[Symbol.asyncDispose](), looks[Symbol.asyncDispose]()])
    },
  }
}

async function runTask(
  has: Pick<TaskNeeds, 'config' | 'gate' | 'database'>,
  log: Log,
  task: TakenTask,
  stopped: AbortSignal,
): Promise<void> {
  const { database } = has
  const gone = new AbortController()
  const signal = AbortSignal.any([stopped, gone.signal])
  const report = startReporting(database, task, () => gone.abort())
  try {
    const end = await TASKS[task.kind]({ ...has, task, signal, progress: report.progress })
    await report.stop()
    if (stopped.aborted) return await database.system((tx) => releaseTask(tx, task))
    await database.system(async (tx) => {
      await endTask(tx, task, end)
      await notifyConsole(tx, { organizationId: task.organization_id, kind: 'version', siteId: task.site_id })
    })
  } catch (error) {
    await report.stop()
    if (!signal.aborted) log.error({ event: 'site-task.failed', kind: task.kind, site: task.domain_name, err: error })
    await database
      .system((tx) =>
        stopped.aborted ? releaseTask(tx, task) : endTask(tx, task, { state: 'failed', problem: 'fault' }),
      )
      .catch((failed: unknown) => log.warn({ event: 'site-task.end-not-written', err: failed }))
  }
}

/** Writes the newest progress now and then, and keeps the lease while there is none. */
function startReporting(
  database: Database,
  task: TakenTask,
  onGone: () => void,
): { progress: (now: object) => void; stop: () => Promise<void> } {
  let newest: object | null = null
  let writtenAt = Date.now()
  let writing: Promise<void> | null = null
  const write = async () => {
    const progress = newest
    newest = null
    writtenAt = Date.now()
    // A write that fails is tried again by the next tick; the lease outlives several of them.
    const kept = await database.system((tx) => writeProgress(tx, task, progress)).catch(() => true)
    if (!kept) onGone()
  }
  const timer = setInterval(() => {
    if (writing || (newest === null && Date.now() - writtenAt < HEARTBEAT_MS)) return
    writing = write().finally(() => (writing = null))
  }, PROGRESS_MS)
  return {
    progress: (now) => void (newest = now),
    async stop() {
      clearInterval(timer)
      await writing
    },
  }
}
