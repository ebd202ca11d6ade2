import { loadConfig, makeLog, openDatabase } from '@fairway/platform'
import { liftSuspension } from '@fairway/server'
import { UsageError, parseWords } from './options.ts'

/** `unsuspend <e-mail>`: lets somebody and their organisation in again, when nobody is left who could at the console. */
export async function unsuspend(words: string[]): Promise<number> {
  const [email, ...more] = parseWords(words, {}).positionals
  if (email === undefined || more.length > 0) throw new UsageError('say: unsuspend <e-mail address>')
  const config = loadConfig()
  await using database = openDatabase(config, makeLog('unsuspend', { logLevel: 'warn' }), { connections: 1 })
  const lifted = await liftSuspension(config, database, email)
  if (lifted === null) throw new UsageError(`nobody has the address "${email}"`)
  process.stdout.write(lifted.length > 0 ? `${lifted.join(', ')}: no longer suspended\n` : 'nothing was suspended\n')
  return 0
}
