import path from 'node:path'
import {
  BackupError,
  Chain,
  type Config,
  backupFolderOf,
  chainsIn,
  isS3Place,
  keptBackups,
  loadConfig,
  openStorage,
} from '@fairway/platform'
import { contentOf, rangesOf } from '../backup/chain/chain-content.ts'
import { backupPassphrase } from '../backup/passphrase.ts'
import { UsageError, keptNumber, parseWords } from './options.ts'

/**
 * `backups [<folder or s3://bucket/prefix>]`: what is in a place, and to which seconds it can be restored.
 * `backups prune --keep <number>`: removes older ones from the place of the settings, and writes none.
 */
export async function backups(words: string[]): Promise<number> {
  const { positionals, values } = parseWords(words, { keep: { type: 'string' } })
  const [place, ...more] = positionals
  const keep = keptNumber(values.keep)
  if (more.length > 0 || (place === 'prune') !== (keep !== null))
    throw new UsageError('say: backups [<folder or s3://bucket/prefix>], or: backups prune --keep <number>')
  const config = loadConfig()
  if (keep !== null) {
    const { pruneBackups } = await import('../backup/prune.ts')
    for (const name of await pruneBackups(config, keep)) process.stdout.write(`removed ${name}\n`)
    return 0
  }
  const where = place === undefined ? backupFolderOf(config) : isS3Place(place) ? place : path.resolve(place)
  const found = (await tellWhole(where, config)) + (await tellChains(where, config))
  if (found === 0) process.stdout.write(`There is no backup in ${where}.\n`)
  return 0
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const moment = (ms: number): string => new Date(ms).toISOString()

async function tellWhole(place: string, config: Config): Promise<number> {
  await using storage = openStorage(place, config)
  const kept = (await keptBackups(storage)).reverse()
  for (const { file, writtenAt, provenAt } of kept)
    process.stdout.write(`${file}: whole, written ${moment(writtenAt)}, ${provenText(provenAt)}\n`)
  return kept.length
}

const provenText = (at: number | null): string => (at === null ? 'never proven' : `proven ${moment(at)}`)

async function tellChains(place: string, config: Config): Promise<number> {
  const ids = await chainsIn(place, config)
  const passphrase = ids.length === 0 ? '' : backupPassphrase(config)
  for (const id of ids) {
    try {
      await using chain = await Chain.open(place, config, id, passphrase)
      const content = await contentOf(chain)
      process.stdout.write(`${chain.storage.address()}: begun ${chain.facts.startedAt}, ${megabytes(content.bytes)}\n`)
      for (const { key, base, provenAt } of content.bases)
        process.stdout.write(
          `  ${key}: ${megabytes(base.addedBytes)} added for ${megabytes(base.wholeBytes)}, ${base.rows} rows, ${provenText(provenAt)}\n`,
        )
      const ranges = await rangesOf(chain, content)
      for (const { from, until } of ranges)
        process.stdout.write(`  any second from ${moment(from)} to ${moment(until)}\n`)
      if (ranges.length === 0) process.stdout.write('  no second: no backup in it is whole with its log\n')
    } catch (error) {
      // One that cannot be read does not hide the others.
      if (!(error instanceof BackupError)) throw error
      process.stdout.write(`${place}/chain-${id}: ${error.message}\n`)
    }
  }
  return ids.length
}
