import type { AuthorityId } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { ORDER_BEGAN_AT } from './store.ts'

/** Where the certificates of the house's own names are ordered; a row for each of them, known by its `host`. */
type HouseTable = 'console_certificate' | 'stream_certificate'

export type Taken<R> = R & { leased_until: Date }

/**
 * What is due, for one process at a time; a renewal begins here, with the key that is given. No order is made while the
 * authority takes none of the whole account.
 */
export async function takeHouseOrder<R extends { order_key: string | null }>(
  tx: Tx,
  table: HouseTable,
  host: string,
  { authority, leaseSeconds, newKey }: { authority: AuthorityId; leaseSeconds: number; newKey: () => string },
): Promise<Taken<R> | undefined> {
  const [taken] = await tx.query<Taken<R>>(
    `UPDATE ${table} SET leased_until = date_trunc('milliseconds', now()) + make_interval(secs => $2), order_began_at = ${ORDER_BEGAN_AT}
     WHERE host = $1 AND next_attempt_at <= now() AND (leased_until IS NULL OR leased_until < now())
       AND (step IN ('publish', 'validate') OR NOT EXISTS (SELECT FROM acme_account a WHERE a.authority = $3 AND a.held_until > now())) RETURNING *`,
    [host, leaseSeconds, authority],
  )
  if (!taken || taken.order_key !== null) return taken
  const [begun] = await tx.query<Taken<R>>(
    `UPDATE ${table} SET step = 'order', order_key = $2, order_url = NULL, order_began_at = now() WHERE host = $1 RETURNING *`,
    [host, newKey()],
  )
  return begun
}

/** Writes what a step has led to, if the lease is still this holder's. Answers whether it was. */
export async function writeHouseOrder<R extends { host: string }>(
  tx: Tx,
  table: HouseTable,
  { host, leased_until }: Taken<Pick<R, 'host'>>,
  change: Partial<R> & { order_began_at?: Date | null },
): Promise<boolean> {
  const entries = Object.entries(change)
  const set = entries.map(([column], at) => `${column} = $${at + 3}`)
  const values = entries.map(([, value]) => (Array.isArray(value) ? JSON.stringify(value) : value))
  const rows = await tx.query(
    `UPDATE ${table} SET ${['leased_until = NULL', ...set].join(', ')} WHERE host = $1 AND leased_until = $2 RETURNING host`,
    [host, leased_until, ...values],
  )
  return rows.length > 0
}
