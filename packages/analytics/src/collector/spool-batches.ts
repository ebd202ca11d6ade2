import crypto from 'node:crypto'

/**
 * What came together as one batch, in a segment: a mark, its lines, then a line with its name. A batch whose name is
 * missing was torn by the death of the process, and nobody was told that it was taken.
 */
export type SpooledBatch = { name: string; lines: Buffer }

const MARK = '#'.charCodeAt(0)
const NEWLINE = 10

/** A batch's name as the store has it: 64 bits of a hash, in decimal digits. */
export const batchName = (said: string): string => crypto.hash('sha1', said, 'buffer').readBigUInt64LE(0).toString()

/** The lines of a batch between its marks. */
export const withName = (lines: string, name: string): string => `#\n${lines}#${name}\n`

/** Batches of a segment; null when it is of a collector that had no others beside it, and names none. */
export function readBatches(segment: Buffer): SpooledBatch[] | null {
  if (segment[0] !== MARK) return null
  const batches: SpooledBatch[] = []
  let from = 0
  for (let at = 0; at < segment.length;) {
    const end = segment.indexOf(NEWLINE, at)
    if (end < 0) break
    if (segment[at] === MARK) {
      if (end > at + 1)
        batches.push({ name: segment.toString('latin1', at + 1, end), lines: segment.subarray(from, at) })
      from = end + 1
    }
    at = end + 1
  }
  return batches
}
