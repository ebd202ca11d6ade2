import path from 'node:path'
import {
  BackupError,
  Chain,
  type Config,
  backupFolderOf,
  isBackupName,
  isS3Place,
  keptBackups,
  loadConfig,
  makeLog,
  noteFailedProof,
  noteKept,
  notePassedProof,
  openStored,
  proofOf,
} from '@fairway/platform'
import { type ChainPlace, chainPlaceOf } from '../backup/chain/chain-place.ts'
import { backupPassphrase } from '../backup/passphrase.ts'
import { NoRoom } from '../backup/room.ts'
import { UsageError, keptNumber, parseWords } from './options.ts'

const USAGE =
  'say: backup [--to <folder or s3://bucket/prefix> | --incremental] [--keep <number>] [--without-events], or: backup verify <file or s3://…>'

/**
 * `backup`: writes a sealed backup of what runs; `--incremental` adds what has changed to the chain of the settings'
 * place. `backup verify <file>` proves one by restoring it elsewhere. The supervisor runs `backup follow`.
 */
export async function backup(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, {
    to: { type: 'string' },
    keep: { type: 'string' },
    'without-events': { type: 'boolean' },
    incremental: { type: 'boolean' },
  })
  const [what, file, ...more] = positionals
  if (what === undefined) return values.incremental ? add(values) : write(values)
  if (what === 'follow' && file === undefined && Object.keys(values).length === 0) return follow()
  if (what !== 'verify' || file === undefined || more.length > 0 || Object.keys(values).length > 0)
    throw new UsageError(USAGE)
  const config = loadConfig()
  const inChain = chainPlaceOf(file)
  if (inChain) return prove(inChain)
  const { verifyBackup } = await import('../backup/verify-backup.ts')
  const { storage, key } = openStored(file, config)
  await using _ = storage
  const proof = await noted(config, storage.address(key), () =>
    verifyBackup({
      file: storage.address(key),
      passphrase: backupPassphrase(config),
      config,
      log: makeLog('backup', { logLevel: 'error' }),
    }),
  )
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

async function prove({ place, id, key }: ChainPlace): Promise<number> {
  const config = loadConfig()
  const { proveBase } = await import('../backup/chain/prove-base.ts')
  const passphrase = backupPassphrase(config)
  const named = key ?? (await newestOf({ place, id }, passphrase, config))
  const proof = await noted(config, `${place}/chain-${id}/${named}`, () =>
    proveBase({ place, id, key: named, passphrase, config, log: makeLog('backup', { logLevel: 'error' }) }),
  )
  process.stdout.write(
    `proven ${proof.file}: of ${proof.at}, ${proof.rows} rows in ${proof.tables} tables, ${proof.zones} zone documents and ${proof.auditLogs} audit logs came back as they were; ${proof.logParts} pieces of the log reach ${proof.until} (${(proof.ms / 1000).toFixed(1)} s)\n`,
  )
  return 0
}

async function newestOf(
  { place, id }: { place: string; id: string },
  passphrase: string,
  config: Config,
): Promise<string> {
  const { findBase } = await import('../backup/chain/restore-base.ts')
  await using chain = await Chain.open(place, config, id, passphrase)
  return (await findBase(chain, null)).kept.key
}

/** A backup that is not what it was is remembered: it is told, and the next one does not build on it unseen. */
async function noted<T extends { at: string }>(config: Config, file: string, prove: () => Promise<T>): Promise<T> {
  try {
    const proof = await prove()
    notePassedProof(config, file, Date.parse(proof.at))
    return proof
  } catch (error) {
    if (error instanceof BackupError && !(error instanceof NoRoom)) noteFailedProof(config, file, error.message)
    throw error
  }
}

/** Adds to the chain of this home. */
async function add(values: Parameters<typeof write>[0]): Promise<number> {
  if (values.to !== undefined)
    throw new UsageError('--incremental goes on in the place that FAIRWAY_BACKUP_FOLDER names: leave --to out')
  const keep = keptNumber(values.keep)
  const config = loadConfig()
  const { writeBase } = await import('../backup/chain/write-base.ts')
  const startedAt = performance.now()
  const passphrase = backupPassphrase(config)
  const base = await writeBase({ config, passphrase, keep, events: values['without-events'] !== true })
  const [added, whole] = [base.addedBytes, base.wholeBytes].map((bytes) => (bytes / 1e6).toFixed(1))
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`wrote ${base.file}: ${base.rows} rows, ${added} MB added for ${whole} MB, ${seconds} s\n`)
  for (const name of base.removed) process.stdout.write(`removed ${name}\n`)
  return 0
}

/** Ends when it is told to, and when whoever started it has gone: its input is closed then. */
async function follow(): Promise<number> {
  const config = loadConfig()
  const { followLog } = await import('../backup/chain/follow-log.ts')
  const ending = new AbortController()
  process.once('SIGTERM', () => ending.abort())
  process.on('SIGINT', () => {})
  process.stdin.once('close', () => ending.abort()).resume()
  await followLog({
    config,
    passphrase: backupPassphrase(config),
    log: makeLog('backup', config),
    signal: ending.signal,
  })
  process.stdin.destroy()
  return 0
}

async function write(values: {
  to?: string | undefined
  keep?: string | undefined
  'without-events'?: boolean | undefined
}): Promise<number> {
  const { to } = values
  const keep = keptNumber(values.keep)
  const config = loadConfig()
  const { writeBackup } = await import('../backup/write-backup.ts')
  const startedAt = performance.now()
  const { file, bytes, rows, removed } = await writeBackup({
    config,
    passphrase: backupPassphrase(config),
    place: to === undefined ? backupFolderOf(config) : isS3Place(to) ? to : path.resolve(to),
    keep,
    events: values['without-events'] !== true,
  })
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  process.stdout.write(`wrote ${file}: ${rows} rows, ${(bytes / 1e6).toFixed(1)} MB, ${seconds} s\n`)
  for (const name of removed) process.stdout.write(`removed ${name}\n`)
  return 0
}
