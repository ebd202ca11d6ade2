import fs from 'node:fs'
import path from 'node:path'
import type { NodeRole, PublicationKind } from '@fairway/contract'
import type { Config } from './config.ts'
import type { Log } from './log.ts'

export type DocumentName = { kind: PublicationKind; key: string }

/**
 * In which epoch of publications a node's documents are. With another one, as after a restore, cursors of before mean
 * nothing, and what the whole does not name any more was published in a time that has not been.
 */
export class FeedEpoch {
  /** Null while no API has said one. */
  current: string | null
  /** Of the whole that is on its way, in an epoch that is new to this node: what it has named so far. */
  #named: Set<string> | null = null
  #kept: string | null
  readonly #file: string
  readonly #log: Log

  constructor(config: Pick<Config, 'home'>, role: NodeRole, log: Log) {
    this.#file = path.join(config.home, 'nodes', role, 'epoch')
    this.#log = log
    this.#kept = readKept(this.#file)
    this.current = this.#kept
  }

  /** Answers whether everything has to be taken anew. An API of the release before says none. */
  heard(epoch: string | undefined): boolean {
    if (epoch === undefined || epoch === this.current) return false
    const isOther = this.current !== null
    this.current = epoch
    if (isOther) this.#named = new Set()
    return isOther
  }

  /** Not all of this epoch is here yet, or what is of another one still is. */
  isNew(): boolean {
    return this.#named !== null
  }

  named({ kind, key }: DocumentName): void {
    this.#named?.add(`${kind} ${key}`)
  }

  /** Everything has come: what is held and was not named. A whole that names nothing at all is no reason to end all. */
  left(held: Iterable<DocumentName>): DocumentName[] {
    const named = this.#named
    if (named === null || named.size === 0) return []
    return [...held].filter(({ kind, key }) => !named.has(`${kind} ${key}`))
  }

  /** What was left is gone. */
  settled(): void {
    this.#named = null
    if (this.current === null || this.current === this.#kept) return
    try {
      fs.mkdirSync(path.dirname(this.#file), { recursive: true })
      fs.writeFileSync(`${this.#file}.new`, this.current)
      fs.renameSync(`${this.#file}.new`, this.#file)
      this.#kept = this.current
    } catch (error) {
      // The next start compares with the one before, and takes all of it once more.
      this.#log.warn({ event: 'feed.epoch-not-kept', err: error })
    }
  }
}

function readKept(file: string): string | null {
  try {
    return fs.readFileSync(file, 'utf8').trim() || null
  } catch {
    return null
  }
}
