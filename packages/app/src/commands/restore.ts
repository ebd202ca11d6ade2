import path from 'node:path'
import { isS3Place, loadConfig, makeLog } from '@fairway/platform'
import { backupPassphrase } from '../backup/passphrase.ts'
import { UsageError, parseWords } from './options.ts'

/** `restore <file or s3://…>`: puts a backup into an empty home, whole or not at all. */
export async function restore(words: string[]): Promise<number> {
  const { positionals } = parseWords(words, {})
  const [file, ...more] = positionals
  if (file === undefined || more.length > 0)
    throw new UsageError('say: restore <file of a backup, or s3://bucket/prefix/file>')
  const config = loadConfig()
  const { restoreHome } = await import('../backup/restore-home.ts')
  const { head, rows } = await restoreHome({
    file: isS3Place(file) ? file : path.resolve(file),
    passphrase: backupPassphrase(config),
    config,
    log: makeLog('restore', { logLevel: 'error' }),
  })
  process.stdout.write(
    `restored the backup of ${head.at} into ${config.home}: ${rows} rows. Start it with: ./fairway up\n`,
  )
  const found = loadConfig()
  if (found.databaseUrl !== config.databaseUrl || found.clickhouseUrl !== config.clickhouseUrl)
    process.stdout.write(
      `The settings that came with the backup name other engines than those that were filled: look at ${path.join(config.home, 'fairway.conf')} before you start.\n`,
    )
  return 0
}
