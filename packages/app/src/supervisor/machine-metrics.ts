import { Gauge, Registry } from 'prom-client'
import { VERSION } from '@fairway/contract'
import {
  type Config,
  type LogState,
  type Reasons,
  backupFolderOf,
  backupOldAfterMs,
  diskMarks,
  diskOf,
  followsLog,
  heldReserve,
  logState,
  memoryOfMachine,
  newestBackups,
  proofTrouble,
} from '@fairway/platform'
import type { RoleStatuses } from './role-status.ts'

/** What is known of one role: its process as the supervisor sees it, and what it says of itself, if it answers. */
export type Heard = { statuses: RoleStatuses; said: Record<string, Reasons & { answers: boolean }> }

/** Figures of this machine and of its roles' processes, which no role could tell of itself when it is gone. */
export async function machineMetrics(config: Config, { statuses, said }: Heard): Promise<string> {
  const registry = new Registry()
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] })
  gauge('fairway_build_info', 'Always 1; the label is what runs', ['version']).set({ version: VERSION }, 1)
  const up = gauge('fairway_role_up', '1 while the process of the role runs and answers', ['role'])
  const ready = gauge('fairway_role_ready', '1 while the role says that it can do its job', ['role'])
  for (const [role, answer] of Object.entries(said)) {
    up.set({ role }, Number(answer.answers))
    ready.set({ role }, Number(answer.ready))
  }
  tellMachine(config, gauge)
  try {
    if ('worker' in statuses) tellBackups(config, gauge)
  } catch {
    // Unknown is left out, and takes no other figure along.
  }
  return `${restartsOf(statuses)}${await registry.metrics()}`
}

type MakeGauge = <L extends string>(name: string, help: string, labelNames?: L[]) => Gauge<L>

function tellMachine(config: Config, gauge: MakeGauge): void {
  try {
    const { freeBytes, totalBytes } = diskOf(config.home)
    gauge('fairway_disk_free_bytes', 'Room on the disk that holds the home').set(freeBytes)
    gauge('fairway_disk_size_bytes', 'Size of the disk that holds the home').set(totalBytes)
    const { scarceBytes, fullBytes } = diskMarks(config, totalBytes)
    gauge('fairway_disk_scarce_bytes', 'Free room below which what can wait stops').set(scarceBytes)
    gauge('fairway_disk_full_bytes', 'Free room below which the API refuses changes').set(fullBytes)
    gauge('fairway_disk_reserve_bytes', 'What is held back for when nothing is free').set(heldReserve(config.home))
  } catch {
    // Unknown is left out, and is not none.
  }
  const { availableBytes, totalBytes } = memoryOfMachine()
  gauge(
    'fairway_memory_available_bytes',
    'Memory that may still be taken, caches that would be given back included',
  ).set(availableBytes)
  gauge('fairway_memory_size_bytes', 'Memory of the machine').set(totalBytes)
}

function tellBackups(config: Config, gauge: MakeGauge): void {
  const { newest, proven } = newestBackups(config)
  const at = gauge(
    'fairway_backup_timestamp_seconds',
    'When the newest backup, and the newest proven one, were written, and up to when their log reaches',
    ['state'],
  )
  if (newest) at.set({ state: 'newest' }, newest.writtenAt / 1000)
  if (proven) at.set({ state: 'proven' }, proven.writtenAt / 1000)
  const state = followsLog(config) ? logState(config.home, backupFolderOf(config)) : null
  if (typeof state?.until === 'number') at.set({ state: 'log' }, state.until / 1000)
  gauge('fairway_backup_unproven', '1 while a proof has failed, or the newest backups are not proven').set(
    Number(proofTrouble(config) !== null),
  )
  tellLog(state, gauge)
  // Where nobody takes backups here, as on a second machine, none is missed.
  const limit = gauge('fairway_backup_age_limit_seconds', 'Age at which the newest backup counts as old')
  if (config.backupEveryHours > 0 || newest) limit.set(backupOldAfterMs(config) / 1000)
  else limit.remove()
}

/** Where no log is carried none waits. */
function tellLog(state: LogState | null, gauge: MakeGauge): void {
  gauge('fairway_backup_log_waiting_bytes', 'Log that waits for the place of the backups').set(state?.waitingBytes ?? 0)
  gauge('fairway_backup_log_torn', '1 while seconds are lost until the next backup').set(
    Number(typeof state?.tornAt === 'number'),
  )
}

/** A counter that the supervisor keeps by itself, over the restarts of its own. */
function restartsOf(statuses: RoleStatuses): string {
  const name = 'fairway_role_restarts_total'
  const samples = Object.entries(statuses).map(([role, { restarts }]) => `${name}{role="${role}"} ${restarts}\n`)
  return `# HELP ${name} Times the process of the role was started again after it had ended by itself\n# TYPE ${name} counter\n${samples.join('')}`
}
