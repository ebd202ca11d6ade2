import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'

export type Tried<T> = { ok: true; value: T } | { ok: false; failure: Failure }

/**
 * Does a part of a transaction by itself: what it did is taken back when it fails, or when it was only to see. @throws
 * what is no Failure
 */
export async function tried<T>(tx: Tx, work: () => Promise<T>, keep: boolean): Promise<Tried<T>> {
  // Released in any case: others would lie within it, and beyond 64 of them all who read pay (PostgreSQL's subxact cache).
  await tx.query('SAVEPOINT tried')
  try {
    const value = await work()
    if (!keep) await tx.query('ROLLBACK TO SAVEPOINT tried')
    await tx.query('RELEASE SAVEPOINT tried')
    return { ok: true, value }
  } catch (error) {
    await tx.query('ROLLBACK TO SAVEPOINT tried')
    await tx.query('RELEASE SAVEPOINT tried')
    if (error instanceof Failure) return { ok: false, failure: error }
    throw error
  }
}
