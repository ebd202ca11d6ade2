import { type Config, type Disk, type Tx, backupOldAfterMs, diskOf, isDiskLow, newestBackups } from '@fairway/platform'
import { endForOperators, notifyOperators } from './notify-operators.ts'

const DAY_MS = 86_400_000

/**
 * Tells the operators while there is time: the disk of the home of this worker fills up, or whoever took backups has
 * stopped. An installation without backups of ours may have others; `doctor` tells it.
 */
export async function watchMachine(
  tx: Tx,
  config: Config,
  { disk = diskOf(config.home), now = Date.now() }: { disk?: Disk; now?: number } = {},
): Promise<void> {
  const machine = config.nodeName
  const low = `disk-low:${machine}`
  if (isDiskLow(disk, await isOpen(tx, low)))
    await notifyOperators(tx, {
      event: 'disk-low',
      fields: {
        machine,
        free: `${(disk.freeBytes / 2 ** 30).toFixed(1)} GB`,
        percent: Math.floor((disk.freeBytes / disk.totalBytes) * 100),
      },
      incident: low,
    })
  else await endForOperators(tx, low)
  const { newest } = newestBackups(config)
  const age = newest === null ? 0 : now - newest.writtenAt
  const old = `backup-old:${machine}`
  if (age >= backupOldAfterMs(config))
    await notifyOperators(tx, { event: 'backup-old', fields: { days: Math.floor(age / DAY_MS) }, incident: old })
  else await endForOperators(tx, old)
}

async function isOpen(tx: Tx, incident: string): Promise<boolean> {
  const rows = await tx.query('SELECT FROM notification WHERE incident = $1 AND ended_at IS NULL LIMIT 1', [incident])
  return rows.length > 0
}
