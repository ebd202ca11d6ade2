import { AsyncLocalStorage } from 'node:async_hooks'
import type { Tx } from '@fairway/platform'

/** Runs work in a transaction, as `database.tenant` does. */
export type OpenTransaction = (work: (tx: Tx) => Promise<void>) => Promise<void>

type Segment = { tx: Promise<Tx>; commit(): Promise<void>; rollBack(): Promise<void> }

/** What leaves nothing behind that the transaction has to stay open for: no row, no lock, no role, no word to others. */
const ONLY_READS = /^\s*(SELECT|WITH)\b/
const DOES_MORE = /\b(INSERT|UPDATE|DELETE|SHARE|LOCK|CALL)\b|advisory|set_config|pg_notify|nextval|setval/

const calls = new AsyncLocalStorage<CallTransaction>()

/**
 * The transaction of one call. Its connection is taken with the first question, and is given back while the world is
 * asked as long as nothing but reading was done: who answers slowly then keeps no connection from others.
 */
class CallTransaction implements Tx {
  private readonly open: OpenTransaction
  private segment: Segment | null = null
  private readonly asked = new Set<Promise<unknown>>()
  private hasDone = false
  private isOver = false
  private readonly ending = new AbortController()
  readonly ends = this.ending.signal
  /** Questions to the world that are under way. */
  private away = 0

  constructor(open: OpenTransaction) {
    this.open = open
  }

  async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
    if (this.isOver) throw new Error('a transaction was asked after its end')
    this.hasDone ||= !ONLY_READS.test(text) || DOES_MORE.test(text)
    this.segment ??= begin(this.open)
    const answer = this.segment.tx.then((tx) => tx.query<Row>(text, values))
    this.asked.add(answer)
    return answer.finally(async () => {
      this.asked.delete(answer)
      // What is asked beside the world holds nothing either, once it is answered.
      if (this.away > 0 && this.asked.size === 0) await this.putDown()
    })
  }

  async without<T>(asking: () => Promise<T>): Promise<T> {
    this.away += 1
    try {
      await this.putDown()
      return await asking()
    } finally {
      this.away -= 1
    }
  }

  /** Gives the connection back until the next question, if that loses nothing. */
  private async putDown(): Promise<void> {
    while (this.asked.size > 0) await Promise.allSettled(this.asked)
    const { segment } = this
    if (!segment || this.hasDone || this.isOver) return
    this.segment = null
    await segment.commit()
  }

  async end(how: 'commit' | 'rollBack'): Promise<void> {
    this.ending.abort()
    while (this.asked.size > 0) await Promise.allSettled(this.asked)
    this.isOver = true
    await this.segment?.[how]()
  }
}

function begin(open: OpenTransaction): Segment {
  const opened = Promise.withResolvers<Tx>()
  const ended = Promise.withResolvers<void>()
  const over = open((tx) => {
    opened.resolve(tx)
    return ended.promise
  })
  over.catch(opened.reject)
  // Nobody waits for it where no connection was to be had.
  ended.promise.catch(() => {})
  return {
    tx: opened.promise,
    commit() {
      ended.resolve()
      return over
    },
    rollBack() {
      ended.reject(new Error('the call has failed'))
      return over.catch(() => {})
    },
  }
}

/** Runs a call in a transaction that is committed with its answer, and rolled back with its failure. */
export async function inCallTransaction<T>(open: OpenTransaction, work: (tx: Tx) => Promise<T>): Promise<T> {
  const call = new CallTransaction(open)
  let answer: T
  try {
    answer = await calls.run(call, () => work(call))
  } catch (error) {
    await call.end('rollBack')
    throw error
  }
  await call.end('commit')
  return answer
}

/** Says when the call at hand ends, after which nobody waits for what it has asked; undefined outside of calls. */
export const callEnds = (): AbortSignal | undefined => calls.getStore()?.ends

/** Asks the world, which may take its time: meanwhile the call holds no connection, unless it has changed something. */
export function withoutConnection<T>(asking: () => Promise<T>): Promise<T> {
  return calls.getStore()?.without(asking) ?? asking()
}
