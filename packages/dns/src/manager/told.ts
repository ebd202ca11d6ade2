import type { Log } from '@fairway/platform/lean'
import type { Notice } from '../builder/messages.ts'
import type { DnsFiles } from '../store/files.ts'
import { readFlatNames, readScores, readTransfers } from '../store/json-files.ts'

export type Told = { notice: Notice; now: number }

/** The last word of the builder on everything, beginning with what is on disk, for servers that start later. */
export class LastWords {
  readonly #words = new Map<string, Told>()

  /** @param now epoch ms */
  constructor(files: DnsFiles, now: number, log: Log) {
    const damaged = (file: string, error: unknown) => log.warn({ event: 'kept.damaged', file, err: error })
    for (const transfers of readTransfers(files.transfers, damaged))
      this.remember({ kind: 'transfers', organizationId: transfers.organizationId, transfers }, now)
    for (const scores of readScores(files.scores, damaged)) this.remember({ kind: 'scores', scores }, now)
    this.remember({ kind: 'flattened', names: readFlatNames(files.flattened, damaged) }, now)
  }

  remember(notice: Notice, now: number): void {
    const key = keyOf(notice)
    // The newest last: they are told again in the order in which they were said.
    this.#words.delete(key)
    if (notice.kind !== 'scores-gone' && !(notice.kind === 'transfers' && notice.transfers === null))
      this.#words.set(key, { notice, now })
  }

  all(): Iterable<Told> {
    return this.#words.values()
  }
}

function keyOf(notice: Notice): string {
  if (notice.kind === 'scores') return `scores ${notice.scores.organizationId}`
  if (notice.kind === 'scores-gone') return `scores ${notice.organizationId}`
  return notice.kind === 'flattened' ? notice.kind : `${notice.kind} ${notice.organizationId}`
}
