import type { Tx } from '@fairway/platform'

/** More than is published in the time that a backup is old. */
const LEAP = 1_000_000
/** Nobody has published so much since; revisions have to stay exact numbers, whatever a node says. */
const MOST_LOST = 1_000_000_000

export type Counter = { revision: number; epoch: string }

/** Whether somebody has had what this counter has not reached. */
export const isLost = (counter: Counter, had: Counter): boolean =>
  had.epoch === counter.epoch && had.revision > counter.revision && had.revision <= counter.revision + MOST_LOST

/** Up to where everything is published, and in which epoch. */
export async function counterOf(tx: Tx): Promise<Counter> {
  const [row] = await tx.query<Counter>('SELECT revision, epoch FROM publication_counter')
  if (!row) throw new Error('the counter of publications is gone')
  return row
}

/**
 * Whatever was published after the state of this database is forgotten, and some node may have it: revisions, versions
 * of sites and serials of zones go on beyond all of that, and every node takes everything anew.
 * @param tx of a connection that waits as long as it takes: every site is written
 * @param lost what is known of that time: an epoch that is over already is not ended twice
 */
export async function beginEpoch(tx: Tx, lost: Counter | null): Promise<void> {
  // Nobody waits for the lock who has nothing to end.
  if (lost && !isLost(await counterOf(tx), lost)) return
  await tx.query('SELECT pg_advisory_xact_lock(4735)')
  if (lost && !isLost(await counterOf(tx), lost)) return
  // Sites before the counter, as whoever publishes takes them.
  await tx.query('UPDATE site SET version = version + $1', [LEAP])
  await tx.query(
    'UPDATE publication_counter SET epoch = gen_random_uuid(), revision = greatest(revision, $2::bigint) + $1',
    [LEAP, lost?.revision ?? 0],
  )
  await tx.query('UPDATE node SET taken_revision = 0 WHERE taken_revision IS NOT NULL')
  // Zones that are no site's count their serials themselves.
  await tx.query(
    `UPDATE publication SET version = version + $1 WHERE kind = 'dns-zone' AND body IS NOT NULL AND key ~ '^(catalog|system):'`,
    [LEAP],
  )
  await tx.query(
    `INSERT INTO outbox (organization_id, kind, key) SELECT organization_id, kind, key FROM publication WHERE kind = 'dns-zone' AND body IS NOT NULL`,
  )
  // The collector publishes them every few seconds; those of before would be believed until then.
  await tx.query(`DELETE FROM publication WHERE kind = 'scores'`)
  await tx.query(`SELECT pg_notify('outbox', ''), pg_notify('publication', '')`)
}
