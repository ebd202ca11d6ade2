import path from 'node:path'
import {
  backupFolderOf,
  isBackupName,
  isS3Place,
  keptBackups,
  loadConfig,
  makeLog,
  noteKept,
  openStored,
  proofOf,
} from '@fairway/platform'
import { backupPassphrase } from '../backup/passphrase.ts'
import { UsageError, parseWords } from './options.ts'

const USAGE =
  'say: backup [--to <folder or s3://bucket/prefix>] [--keep <number>] [--without-events], or: backup verify <file or s3://…>'

/** `backup`: writes a sealed backup of what runs; `backup verify <file>` proves one by restoring it elsewhere. */
export async function backup(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, {
    to: { type: 'string' },
    keep: { type: 'string' },
    'without-events': { type: 'boolean' },
  })
  const [what, file, ...more] = positionals
  if (what === undefined) return write(values)
  if (what !== 'verify' || file === undefined || more.length > 0 || Object.keys(values).length > 0)
    throw new UsageError(USAGE)
  const config = loadConfig()
  const { verifyBackup } = await import('../backup/verify-backup.ts')
  const { storage, key } = openStored(file, config)
  await using _ = storage
  const proof = await verifyBackup({
    file: storage.address(key),
    passphrase: backupPassphrase(config),
    config,
    log: makeLog('backup', { logLevel: 'error' }),
  })
  // Of a file under another name nobody would look for it.
  if (isBackupName(key)) {
    await storage.put(proofOf(key), [Buffer.from(`${JSON.stringify(proof)}\n`)])
    if (isS3Place(config.backupFolder) && storage.address(key) === `${config.backupFolder.replace(/\/+$/, '')}/${key}`)
      noteKept(config, await keptBackups(storage))
  }
  process.stdout.write(
    `proven ${file}: of ${proof.at}, ${proof.rows} rows in ${proof.tables} tables, ${proof.zones} zone documents and ${proof.auditLogs} audit logs came back as they were (${(proof.ms / 1000).toFixed(1)} s)\n`,
  )
  return 0
}

async function write(values: {
  to?: string | undefined
  keep?: string | undefined
  'without-events'?: boolean | undefined
}): Promise<number> {
  const { to, keep } = values
  if (keep !== undefined && !/^[1-9]\d{0,4}$/.test(keep))
    throw new UsageError(`--keep is how many backups stay, from 1 on, not "${keep}"`)
  const config = loadConfig()
  const { writeBackup } = await import('../backup/write-backup.ts')
  const startedAt = performance.now()
  const { file, bytes, rows, removed } = await writeBackup({
    config,
    passphrase: backupPassphrase(config),
    place: to === undefined ? backupFolderOf(config) : isS3Place(to) ? to : path.resolve(to),
    keep: keep === undefined ? null : Number(keep),
    events: values['without-events'] !== true,
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`wrote ${file}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s\n`)
  for (const name of removed) process.stdout.write(`removed ${name}\n`)
  return 0
}
