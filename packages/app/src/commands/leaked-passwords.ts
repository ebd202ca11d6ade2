import { importLeakedPasswords, loadConfig } from '@fairway/platform'
import { UsageError, parseWords } from './options.ts'

/** `leaked-passwords import <file>`: brings in digests of breached passwords, for the edge of this machine. */
export async function leakedPasswords(words: string[]): Promise<number> {
  const [verb, file, ...more] = parseWords(words, {}).positionals
  if (verb !== 'import' || file === undefined || more.length > 0)
    throw new UsageError('say: leaked-passwords import <file of SHA-1 digests, one a line, sorted>')
  const count = await importLeakedPasswords(loadConfig(), file)
  process.stdout.write(`${count} digests are in force; the edge takes them up within seconds\n`)
  return 0
}
