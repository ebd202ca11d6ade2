import type { PublicationKind } from '@fairway/contract'

/** After a refusal is asked again: a full disk or a busy process passes. */
const FIRST_AGAIN_MS = 30_000
const LONGEST_AGAIN_MS = 600_000

export type RefusedDocument = { kind: PublicationKind; key: string; revision: number }
type Refused = RefusedDocument & { times: number; dueAt: number }

/** Documents that this node could not apply, and when each is tried again. Times are those of `performance`. */
export class RefusedDocuments {
  readonly #firstAgainMs: number
  readonly #byKey = new Map<string, Refused>()

  constructor(firstAgainMs = FIRST_AGAIN_MS) {
    this.#firstAgainMs = firstAgainMs
  }

  /** It was refused; a newer one than before begins anew. */
  refused({ kind, key, revision }: RefusedDocument, now: number): void {
    const id = idOf({ kind, key })
    const before = this.#byKey.get(id)
    const times = before?.revision === revision ? before.times + 1 : 1
    const againMs = Math.min(LONGEST_AGAIN_MS, this.#firstAgainMs * 2 ** Math.min(times - 1, 20))
    this.#byKey.set(id, { kind, key, revision, times, dueAt: now + againMs })
  }

  /** It was applied, can never be, or has been replaced. */
  drop(about: Pick<RefusedDocument, 'kind' | 'key'>): void {
    this.#byKey.delete(idOf(about))
  }

  /** Whether no other word has come about it since. */
  isCurrent({ kind, key, revision }: RefusedDocument): boolean {
    return this.#byKey.get(idOf({ kind, key }))?.revision === revision
  }

  due(now: number): RefusedDocument[] {
    return [...this.#byKey.values()].filter(({ dueAt }) => dueAt <= now)
  }

  /** When the next one is due; null when none is waiting. */
  nextAt(): number | null {
    let next: number | null = null
    for (const { dueAt } of this.#byKey.values()) if (next === null || dueAt < next) next = dueAt
    return next
  }
}

const idOf = ({ kind, key }: Pick<RefusedDocument, 'kind' | 'key'>): string => `${kind} ${key}`
