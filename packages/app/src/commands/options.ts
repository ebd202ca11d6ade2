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
