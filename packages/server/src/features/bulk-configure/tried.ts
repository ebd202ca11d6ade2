import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'

export type Tried<T> = { ok: true; value: T } | { ok: false; failure: Failure }

/**
 * Does a part of a transaction by itself: what it did is taken back when it fails, or when it was only to see. @throws
 * what is no Failure
 */
export async function tried<T>(tx: Tx, work: () => Promise<T>, keep: boolean): Promise<Tried<T>> {
  await tx.query('SAVEPOINT tried')
  try {
    const value = await work()
    await tx.query(keep ? 'RELEASE SAVEPOINT tried' : 'ROLLBACK TO SAVEPOINT tried')
    return { ok: true, value }
  } catch (error) {
    await tx.query('ROLLBACK TO SAVEPOINT tried')
    if (error instanceof Failure) return { ok: false, failure: error }
    throw error
  }
}
