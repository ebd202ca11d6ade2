import crypto from 'node:crypto'

const MASK = (1n << 128n) - 1n

/** Counts the rows of a table and sums their digests, so that two tables compare in whatever order their rows come. */
export class RowSum {
  rows = 0
  #sum = 0n

  add(line: Buffer): void {
    const digest = crypto.hash('sha256', line, 'buffer')
    this.rows++
    this.#sum = (this.#sum + ((digest.readBigUInt64BE(0) << 64n) | digest.readBigUInt64BE(8))) & MASK
  }

  /** 32 hexadecimal digits. */
  digest(): string {
    return this.#sum.toString(16).padStart(32, '0')
  }
}
