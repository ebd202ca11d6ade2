import path from 'node:path'
import { type Config, backupFolderOf, isS3Place, loadConfig, makeLog } from '@fairway/platform'
import { type ChainPlace, chainPlaceOf } from '../backup/chain/chain-place.ts'
import type { Wanted } from '../backup/chain/restore-at.ts'
import { backupPassphrase } from '../backup/passphrase.ts'
import { UsageError, parseWords } from './options.ts'

const USAGE =
  'say: restore <file of a backup, or s3://bucket/prefix/file>, or: restore --at <second with its zone, like 2026-01-31T10:15:00Z, or: latest> [<folder, s3://bucket/prefix, or a chain in it>]; --replace puts aside what the home holds already'

/**
 * `restore <file or s3://…>`: puts a backup into an empty home, whole or not at all; `restore --at <second>` takes what
 * chains of backups know of that second. `--replace` does so in a home that holds something, which goes aside.
 */
export async function restore(words: string[]): Promise<number> {
  const { positionals, values } = parseWords(words, { at: { type: 'string' }, replace: { type: 'boolean' } })
  const [file, ...more] = positionals
  if ((file === undefined && values.at === undefined) || more.length > 0) throw new UsageError(USAGE)
  const config = loadConfig()
  const chain = file === undefined ? null : chainPlaceOf(file)
  if (values.at === undefined && chain !== null && chain.key === null) throw new UsageError(USAGE)
  const replace = values.replace === true
  if (values.at !== undefined || chain !== null) return toSecond(config, file, chain, values.at, replace)
  return whole(config, file ?? '', replace)
}

function tellReplaced(folder: string | null): void {
  if (folder !== null) process.stdout.write(`What was there before is in ${folder}; remove it when all is well.\n`)
}

/** A date and a time in ISO 8601, with the zone that it is meant in: another hour would be another installation. */
const SECOND = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/

function wantedOf(at: string | undefined, key: string | null): Wanted {
  if (at === undefined) return { key: key ?? '' }
  if (key !== null)
    throw new UsageError('--at chooses the backup itself: name the chain, or the place, and not a backup in it')
  if (at === 'latest') return at
  const time = SECOND.test(at) ? Date.parse(at) : Number.NaN
  if (Number.isNaN(time))
    throw new UsageError(`"${at}" is no second with its zone: it is like 2026-01-31T10:15:00Z, or latest`)
  return { time }
}

async function toSecond(
  config: Config,
  file: string | undefined,
  chain: ChainPlace | null,
  at: string | undefined,
  replace: boolean,
): Promise<number> {
  const wanted = wantedOf(at, chain?.key ?? null)
  const place =
    chain?.place ?? (file === undefined ? backupFolderOf(config) : isS3Place(file) ? file : path.resolve(file))
  const { restoreAt } = await import('../backup/chain/restore-at.ts')
  const startedAt = performance.now()
  const { base, until, eventsOf, replaced } = await restoreAt({
    replace,
    place,
    id: chain?.id ?? null,
    wanted,
    passphrase: backupPassphrase(config),
    config,
    log: makeLog('restore', { logLevel: 'error' }),
  })
  const moment = wanted === 'latest' ? new Date(until).toISOString() : 'time' in wanted ? at : base.at
  const events = eventsOf === null ? 'no measurements, which the chain does not hold' : `measurements up to ${eventsOf}`
  process.stdout.write(
    `restored ${config.home} to ${moment}, from the backup of ${base.at} and the log after it, with ${events} (${((performance.now() - startedAt) / 1000).toFixed(1)} s). Start it with: ./fairway up\n`,
  )
  tellReplaced(replaced)
  return 0
}

async function whole(config: Config, file: string, replace: boolean): Promise<number> {
  const { restoreHome } = await import('../backup/restore-home.ts')
  const { put, replaced } = await restoreHome({
    replace,
    file: isS3Place(file) ? file : path.resolve(file),
    passphrase: backupPassphrase(config),
    config,
    log: makeLog('restore', { logLevel: 'error' }),
  })
  process.stdout.write(
    `restored the backup of ${put.head.at} into ${config.home}: ${put.rows} rows. Start it with: ./fairway up\n`,
  )
  tellReplaced(replaced)
  const found = loadConfig()
  if (found.databaseUrl !== config.databaseUrl || found.clickhouseUrl !== config.clickhouseUrl)
    process.stdout.write(
      `The settings that came with the backup name other engines than those that were filled: look at ${path.join(config.home, 'fairway.conf')} before you start.\n`,
    )
  return 0
}
