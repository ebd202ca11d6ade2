import crypto from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Config, Database, Tx } from '@fairway/platform'

/** A home that was not heard of for so long, as seen from here, has left its place to another. */
const SILENT_MS = 60_000

/**
 * Uploads, what is made of them, and live streams lie on the disk of one home. A role of another home on the same
 * database would find none of it, and call it lost: it delivers only (decision 0100). The processes of one home hold
 * the place together.
 */
export class HomeLease {
  readonly #home: string
  readonly #database: Database
  readonly #silentMs: number
  #isHeld = false
  /** When the other home was last heard of, by its own word, and since when that is all that is heard. */
  #other: { seen: string; since: number } | null = null

  constructor(config: Config, database: Database, silentMs = SILENT_MS) {
    this.#home = homeOf(config)
    this.#database = database
    this.#silentMs = silentMs
  }

  get isHeld(): boolean {
    return this.#isHeld
  }

  /**
   * Asked every other second; `beside` is written down in the same transaction. No clocks are compared, and
   * time that the database was away is nobody's silence.
   */
  async look(beside: (tx: Tx, isHeld: boolean) => Promise<void> = async () => {}): Promise<void> {
    const isSilent = this.#other !== null && performance.now() - this.#other.since >= this.#silentMs
    const seen = await this.#database
      .system(async (tx) => {
        const heard = await claim(tx, this.#home, isSilent ? (this.#other?.seen ?? '') : '')
        await beside(tx, heard === null)
        return heard
      })
      .catch((error: unknown) => {
        this.#other = null
        throw error
      })
    this.#isHeld = seen === null
    if (seen === null) this.#other = null
    else if (this.#other?.seen !== seen) this.#other = { seen, since: performance.now() }
  }
}

/** Null when the place is held by this home now; else when the other one was heard of. */
async function claim(tx: Tx, home: string, given: string): Promise<string | null> {
  const mine = await tx.query(
    `INSERT INTO stream_home (home) VALUES ($1) ON CONFLICT (one) DO UPDATE SET home = $1, seen_at = clock_timestamp()
       WHERE stream_home.home = $1 OR stream_home.seen_at::text = $2 RETURNING home`,
    [home, given],
  )
  if (mine.length > 0) return null
  return (await tx.query<{ seen: string }>('SELECT seen_at::text AS seen FROM stream_home'))[0]?.seen ?? ''
}

/** What the disk is called, by a name that lies on it. */
function homeOf({ home }: Config): string {
  const file = path.join(home, 'media', 'home')
  try {
    fs.writeFileSync(file, crypto.randomUUID(), { flag: 'wx', mode: 0o600 })
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
  }
  return fs.readFileSync(file, 'utf8')
}
