import fs from 'node:fs'
import path from 'node:path'
import type { Log } from '@fairway/platform'

const DELAY_MS = 1_000

/**
 * A file of JSON that is written once for all that changes within a second, and at the end. For what is told again by
 * those who know it: a crash loses the last second.
 */
export class LateFile implements Disposable {
  readonly #file: string
  readonly #content: () => unknown
  readonly #log: Log
  #timer: NodeJS.Timeout | null = null

  constructor(file: string, content: () => unknown, log: Log) {
    this.#file = file
    this.#content = content
    this.#log = log
  }

  changed(): void {
    this.#timer ??= setTimeout(() => this.#write(), DELAY_MS)
  }

  [Symbol.dispose](): void {
    if (this.#timer !== null) this.#write()
  }

  #write(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    try {
      fs.mkdirSync(path.dirname(this.#file), { recursive: true })
      fs.writeFileSync(`${this.#file}.new`, JSON.stringify(this.#content()))
      fs.renameSync(`${this.#file}.new`, this.#file)
    } catch (error) {
      this.#log.error({ event: 'collector.file-not-written', file: this.#file, err: error })
    }
  }
}
