import { LIMITS } from '@fairway/contract'
import { readAccessBlock } from '@fairway/domain'
import { Failure } from '../../http/failure.ts'
import type { NewEntry } from './store.ts'

const ENTRIES_MOST = LIMITS.accessEntriesPerDomain
/** Some stand there twice or cannot be read. More is not even parsed: all calls of the process would wait for it. */
const LINES_MOST = 2 * ENTRIES_MOST

/**
 * Addresses and blocks, one a line, what follows a `#` is the note; and the lines that are neither. @throws Failure
 * 26902 for more than any domain may have
 */
export function readLines(text: string, list: NewEntry['list'], expiresAt: string | null) {
  const lines = linesOf(text)
  const entries = new Map<string, NewEntry>()
  const refused: { line: number; text: string; message: string }[] = []
  for (const { number, address, note } of lines) {
    const block = readAccessBlock(address)
    if (block === null || block.isNobodys) {
      const message = block === null ? 'validation.cidr' : 'validation.bogon'
      refused.push({ line: number, text: address.slice(0, 100).toWellFormed(), message })
    } else if (!entries.has(block.value)) {
      const { value } = block
      entries.set(value, {
        list,
        kind: 'address',
        value,
        network: '',
        exclude: false,
        note: plain(note),
        expires_at: expiresAt,
      })
    }
  }
  if (entries.size > ENTRIES_MOST) throw new Failure(26902)
  return { entries: [...entries.values()], refused }
}

/** Those that say something. @throws Failure 26902 */
function linesOf(text: string): { number: number; address: string; note: string }[] {
  const lines: { number: number; address: string; note: string }[] = []
  let number = 0
  for (const line of text.split(/\r\n|\r|\n/)) {
    number += 1
    const hash = line.indexOf('#')
    const address = (hash < 0 ? line : line.slice(0, hash)).trim()
    if (address === '') continue
    if (lines.length === LINES_MOST) throw new Failure(26902)
    lines.push({ number, address, note: hash < 0 ? '' : line.slice(hash + 1) })
  }
  return lines
}

const plain = (note: string): string =>
  note
    .replaceAll(/\p{Cc}/gu, ' ')
    .trim()
    .toWellFormed()
    .slice(0, 200)
