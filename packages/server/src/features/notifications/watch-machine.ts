import type { DISK_LEVELS } from '@fairway/contract'
import {
  type Config,
  type Disk,
  type DiskLevel,
  type Tx,
  backupOldAfterMs,
  diskLevel,
  diskMarks,
  diskOf,
  isDiskLow,
  logTrouble,
  missingReserve,
  newestBackups,
  proofTrouble,
} from '@fairway/platform'
import { IS_THERE } from '../nodes/away.ts'
import { endForOperators, notifyOperators } from './notify-operators.ts'

const DAY_MS = 86_400_000
const GB = 2 ** 30

/**
 * Tells the operators while there is time: the disk of the home of this worker or of a node fills up, whoever took
 * backups has stopped, or what was taken is proven no more. An installation without backups of ours
 * may have others; `doctor` tells it.
 */
export async function watchMachine(
  tx: Tx,
  config: Config,
  { disk = diskOf(config.home), now = Date.now() }: { disk?: Disk; now?: number } = {},
): Promise<void> {
  const machine = config.nodeName
  await tellDisk(tx, machine, disk, await ownLevel(tx, config, disk))
  for (const { name, free, size, level } of await disksOfNodes(tx, machine))
    await tellDisk(tx, name, { freeBytes: free, totalBytes: size }, level)
  const { newest, problem } = newestBackups(config, now)
  const age = newest === null ? 0 : now - newest.writtenAt
  const old = `backup-old:${machine}`
  if (age >= backupOldAfterMs(config))
    await notifyOperators(tx, { event: 'backup-old', fields: { days: Math.floor(age / DAY_MS) }, incident: old })
  // Nothing is known to have got better while nobody can look.
  else if (problem === null) await endForOperators(tx, old)
  await tellProofs(tx, config, now)
  await tellLog(tx, config, now)
}

/** Backups that nobody could come back with, perhaps. */
async function tellProofs(tx: Tx, config: Config, now: number): Promise<void> {
  const incident = `backup-unproven:${config.nodeName}`
  const trouble = proofTrouble(config, now)
  if (trouble === null) return endForOperators(tx, incident)
  const fields = {
    days: trouble.provenAt === null ? null : Math.floor((now - trouble.provenAt) / DAY_MS),
    problem: trouble.failed?.problem ?? '',
  }
  await notifyOperators(tx, { event: 'backup-unproven', fields, incident })
}

/** Changes that a disk which dies now would take with it. */
async function tellLog(tx: Tx, config: Config, now: number): Promise<void> {
  const incident = `backup-log-stopped:${config.nodeName}`
  const trouble = logTrouble(config, now)
  if (trouble === null) return endForOperators(tx, incident)
  const fields = {
    minutes: Math.max(1, Math.floor((now - trouble.sinceMs) / 60_000)),
    torn: trouble.kind === 'torn',
    problem: trouble.problem ?? '',
  }
  await notifyOperators(tx, { event: 'backup-log-stopped', fields, incident })
}

const amountOf = (bytes: number): string =>
  bytes < GB ? `${Math.floor(bytes / 2 ** 20)} MB` : `${(bytes / GB).toFixed(1)} GB`

async function tellDisk(tx: Tx, machine: string, disk: Disk, level: DiskLevel): Promise<void> {
  const free = amountOf(disk.freeBytes)
  const [low, scarce, full] = [`disk-low:${machine}`, `disk-scarce:${machine}`, `disk-full:${machine}`]
  if (isDiskLow(disk, await isOpen(tx, low)))
    await notifyOperators(tx, {
      event: 'disk-low',
      fields: { machine, free, percent: Math.floor((disk.freeBytes / disk.totalBytes) * 100) },
      incident: low,
    })
  else await endForOperators(tx, low)
  if (level === 'enough') await endForOperators(tx, scarce)
  else await notifyOperators(tx, { event: 'disk-scarce', fields: { machine, free }, incident: scarce })
  if (level === 'full') await notifyOperators(tx, { event: 'disk-full', fields: { machine, free }, incident: full })
  else await endForOperators(tx, full)
}

/** Of the machine of this worker, told apart by what was told before. */
async function ownLevel(tx: Tx, config: Config, { freeBytes, totalBytes }: Disk): Promise<DiskLevel> {
  const isTold = async (mark: 'scarce' | 'full') => isOpen(tx, `disk-${mark}:${config.nodeName}`)
  const was = (await isTold('full')) ? 'full' : (await isTold('scarce')) ? 'scarce' : 'enough'
  return diskLevel(freeBytes, diskMarks(config, totalBytes), was, was === 'enough' ? 0 : missingReserve(config))
}

/** What the nodes that are there say of theirs: of each machine the role with the least room. */
function disksOfNodes(
  tx: Tx,
  except: string,
): Promise<{ name: string; free: number; size: number; level: (typeof DISK_LEVELS)[number] }[]> {
  return tx.query(
    `SELECT DISTINCT ON (name) name, disk_free_bytes::float8 AS free, disk_size_bytes::float8 AS size, disk_level AS level FROM node
     WHERE name <> $1 AND disk_level IS NOT NULL AND disk_size_bytes > 0 AND ${IS_THERE} ORDER BY name, disk_free_bytes`,
    [except],
  )
}

async function isOpen(tx: Tx, incident: string): Promise<boolean> {
  const rows = await tx.query('SELECT FROM notification WHERE incident = $1 AND ended_at IS NULL LIMIT 1', [incident])
  return rows.length > 0
}
