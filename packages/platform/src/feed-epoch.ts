import fs from 'node:fs'
import path from 'node:path'
import type { NodeRole, PublicationKind } from '@fairway/contract'
import type { Config } from './config.ts'
import type { Log } from './log.ts'

export type DocumentName = { kind: PublicationKind; key: string }

/** So many may go at once in any case, and half of all. */
const GONE_MOST = 20

/** What an installation publishes of its own: also an empty database names these. */
const isOfHouse = ({ kind, key }: DocumentName): boolean => kind === 'simulated-cdn' || /^(system|brand):/.test(key)

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
  /** The next start compares once more. */
  #isHeldBack = false
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
    if (!isOther) return false
    this.#named = new Set()
    this.#isHeldBack = false
    return true
  }

  /** Not all of this epoch is here yet, or what is of another one still is. */
  isNew(): boolean {
    return this.#named !== null
  }

  named({ kind, key }: DocumentName): void {
    this.#named?.add(`${kind} ${key}`)
  }

  /**
   * Everything has come: what is held and was not named. Nothing where that is most of it, or every document of a
   * customer: a database that is empty, or another one, is a mistake more often than a wish.
   */
  left(held: Iterable<DocumentName>): DocumentName[] {
    const named = this.#named
    if (named === null) return []
    const isNamed = ({ kind, key }: DocumentName) => named.has(`${kind} ${key}`)
    const all = [...held]
    const gone = all.filter((one) => !isNamed(one))
    const customers = all.filter((one) => !isOfHouse(one))
    const isMost = gone.length > GONE_MOST && gone.length * 2 > all.length
    if (fs.existsSync(`${this.#file}.withdraw`)) return gone
    if (!isMost && (customers.length < 2 || customers.some(isNamed))) return gone
    this.#isHeldBack = true
    const todo = `Nothing is withdrawn. Give the API the right database; if it has it, make the file ${this.#file}.withdraw and start this node again.`
    this.#log.error({ event: 'feed.too-much-missing', held: all.length, missing: gone.length, todo })
    return []
  }

  /** What was left is gone, or was held back. */
  settled(): void {
    this.#named = null
    if (this.#isHeldBack || this.current === null || this.current === this.#kept) return
    try {
      fs.mkdirSync(path.dirname(this.#file), { recursive: true })
      fs.writeFileSync(`${this.#file}.new`, this.current)
      fs.renameSync(`${this.#file}.new`, this.#file)
      fs.rmSync(`${this.#file}.withdraw`, { force: true })
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
