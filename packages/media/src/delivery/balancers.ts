import { StreamBalance } from '@fairway/contract'
import { type Log, streamKey, type Tx } from '@fairway/platform'

/** Balancers as they were published: playlists name what players are then steered by. */
export class Balancers {
  readonly #byId = new Map<string, StreamBalance>()
  /** By key of the organisation, and the live stream or nothing. */
  #byPlace = new Map<string, StreamBalance>()
  #revision = 0
  readonly #log: Log

  constructor(log: Log) {
    this.#log = log
  }

  /** Takes in what was published since; what is known stays while the database is away. */
  async refresh(tx: Tx): Promise<void> {
    const rows = await tx.query<{ key: string; revision: number; body: unknown }>(
      `SELECT key, revision::float8 AS revision, body FROM publication WHERE kind = 'stream-balance' AND revision > $1 ORDER BY revision`,
      [this.#revision],
    )
    for (const { key, revision, body } of rows) {
      this.#revision = revision
      const read = StreamBalance.safeParse(body)
      if (read.success) this.#byId.set(key, read.data)
      else if (body === null) this.#byId.delete(key)
      else this.#log.error({ event: 'media.balancer-unreadable', balancer: key, err: read.error })
    }
    if (rows.length > 0)
      this.#byPlace = new Map(
        [...this.#byId.values()].map((balance) => [
          placeOf(streamKey(balance.organizationId), balance.liveId),
          balance,
        ]),
      )
  }

  /** A SELECT that has a row when something was published since. */
  newer(): string {
    return `SELECT FROM publication WHERE kind = 'stream-balance' AND revision > ${this.#revision}`
  }

  /** The balancer of a live stream's main playlist; that of a file's is the organisation's (null). */
  of(organizationKey: string, liveId: string | null): StreamBalance | undefined {
    return this.#byPlace.get(placeOf(organizationKey, liveId))
  }
}

const placeOf = (organizationKey: string, liveId: string | null): string => `${organizationKey} ${liveId ?? ''}`
