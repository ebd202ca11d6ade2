import type { Config, Database, Log, OutgoingGate } from '@fairway/platform'
import { notifyConsole } from '../../http/commit-change.ts'
import { startLeasedWork } from '../../loops/leased-work.ts'
import type { RunningLoop } from '../../loops/wake-loop.ts'
import { checkNameservers } from './check-nameservers.ts'
import { compareServers } from './parity/compare-servers.ts'
import { scanSite } from './scan/scan-site.ts'
import {
  endTask,
  releaseTask,
  takeTasks,
  TASKS_DUE,
  writeProgress,
  type TakenTask,
  type TaskEnd,
  type TaskKind,
} from './task-store.ts'
import type { TaskNeeds } from './task-needs.ts'

const TASKS: Record<TaskKind, (needs: TaskNeeds) => Promise<TaskEnd>> = {
  scan: scanSite,
  parity: compareServers,
  nameservers: checkNameservers,
}

const AT_ONCE = 4
const PROGRESS_MS = 200
const HEARTBEAT_MS = 3_000

/**
 * Does the work that sites ask for. Every task is a row: it survives a restart, and several workers share them by
 * leases.
 */
export function startSiteTasks(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  return startLeasedWork<TakenTask>(database, log, {
    name: 'site-task',
    channel: 'site-task',
    atOnce: AT_ONCE,
    due: `SELECT ${TASKS_DUE}`,
    take: takeTasks,
    work: (task, stopped) => runTask({ config, gate, database }, log, task, stopped),
  })
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
