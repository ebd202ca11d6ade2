import type { Log } from '@fairway/platform/lean'
import type { Notice } from '../builder/messages.ts'
import type { DnsFiles } from '../store/files.ts'
import { type FlatName, readFlatNames, readScores, readTransfers } from '../store/json-files.ts'

export type Told = { notice: Notice; now: number }

/** The last word of the builder on everything, beginning with what is on disk, for servers that start later. */
export class LastWords {
  readonly #words = new Map<string, Told>()
  /** Of these only what changes is told. */
  readonly #flat = new Map<string, FlatName>()

  /** @param now epoch ms */
  constructor(files: DnsFiles, now: number, log: Log) {
    const damaged = (file: string, error: unknown) => log.warn({ event: 'kept.damaged', file, err: error })
    for (const transfers of readTransfers(files.transfers, damaged))
      this.remember({ kind: 'transfers', organizationId: transfers.organizationId, transfers }, now)
    for (const scores of readScores(files.scores, damaged)) this.remember({ kind: 'scores', scores }, now)
    this.remember({ kind: 'flattened', names: readFlatNames(files.flattened, damaged), gone: [] }, now)
  }

  remember(notice: Notice, now: number): void {
    if (notice.kind === 'flattened') {
      for (const found of notice.names) this.#flat.set(found.name, found)
      for (const name of notice.gone) this.#flat.delete(name)
    }
    const key = keyOf(notice)
    // The newest last: they are told again in the order in which they were said.
    this.#words.delete(key)
    if (notice.kind !== 'scores-gone' && !(notice.kind === 'transfers' && notice.transfers === null))
      this.#words.set(key, { notice, now })
  }

  *all(): Generator<Told> {
    for (const told of this.#words.values())
      if (told.notice.kind === 'flattened')
        yield { ...told, notice: { kind: 'flattened', names: [...this.#flat.values()], gone: [] } }
      else yield told
  }
}

function keyOf(notice: Notice): string {
  if (notice.kind === 'scores') return `scores ${notice.scores.organizationId}`
  if (notice.kind === 'scores-gone') return `scores ${notice.organizationId}`
  return notice.kind === 'flattened' ? notice.kind : `${notice.kind} ${notice.organizationId}`
}
