import crypto from 'node:crypto'

const MASK = (1n << 128n) - 1n

/** Counts the rows of a table and sums their digests, so that two tables compare in whatever order their rows come. */
export class RowSum {
  rows = 0
  #sum = 0n

  /** @returns a number that is the row's own, and as good as drawn by lot */
  add(line: Buffer): bigint {
    const digest = crypto.hash('sha256', line, 'buffer')
    const own = digest.readBigUInt64BE(8)
    this.rows++
    this.#sum = (this.#sum + ((digest.readBigUInt64BE(0) << 64n) | own)) & MASK
    return own
  }

  /** 32 hexadecimal digits. */
  digest(): string {
    return this.#sum.toString(16).padStart(32, '0')
  }
}
