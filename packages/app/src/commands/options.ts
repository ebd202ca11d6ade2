import { parseArgs } from 'node:util'

/** The command line is wrong; the message says what would be right. */
export class UsageError extends Error {}

type Options = Record<string, { type: 'string' | 'boolean' }>

/** Splits words into options (`--name value`) and the rest. @throws UsageError naming the options there are. */
export function parseWords<const O extends Options>(words: string[], options: O) {
  try {
    return parseArgs({ args: words, options, allowPositionals: true, strict: true })
  } catch (error) {
    const known = Object.keys(options).map((name) => `--${name}`)
    const what = error instanceof Error ? (error.message.split('. ')[0] ?? '') : ''
    throw new UsageError(
      `${what}. ${known.length ? `Options here: ${known.join(', ')}.` : 'This command takes no options.'} See ./fairway help.`,
    )
  }
}

/** How many backups stay; null keeps all. @throws UsageError */
export function keptNumber(keep: string | undefined): number | null {
  if (keep !== undefined && !/^[1-9]\d{0,4}$/.test(keep))
    throw new UsageError(`--keep is how many backups stay, from 1 on, not "${keep}"`)
  return keep === undefined ? null : Number(keep)
}
