import { isNobodys, shortestBlock } from '@fairway/domain'
import type { NewEntry } from './store.ts'

/** Addresses and blocks, one a line, what follows a `#` is the note; and the lines that are neither. */
export function readLines(text: string, list: NewEntry['list'], expiresAt: string | null) {
  const entries = new Map<string, NewEntry>()
  const refused: { line: number; text: string; message: string }[] = []
  for (const [index, line] of text.split(/\r\n|\r|\n/).entries()) {
    const hash = line.indexOf('#')
    const address = (hash < 0 ? line : line.slice(0, hash)).trim()
    if (address === '') continue
    const value = shortestBlock(address)
    const note = (hash < 0 ? '' : line.slice(hash + 1))
      .replaceAll(/\p{Cc}/gu, ' ')
      .trim()
      .toWellFormed()
      .slice(0, 200)
    if (value === null || isNobodys(value)) {
      const message = value === null ? 'validation.cidr' : 'validation.bogon'
      refused.push({ line: index + 1, text: address.slice(0, 100).toWellFormed(), message })
    } else if (!entries.has(value))
      entries.set(value, { list, kind: 'address', value, network: '', exclude: false, note, expires_at: expiresAt })
  }
  return { entries: [...entries.values()], refused }
}
