import type { Tx } from '@fairway/platform'

/** More than is published in the time that a backup is old. */
const LEAP = 1_000_000
/** Nobody has published so much since; revisions have to stay exact numbers, whatever a node says. */
const MOST_LOST = 1_000_000_000

export type Counter = { revision: number; epoch: string }

/** Up to where everything is published, and in which epoch. */
export async function counterOf(tx: Tx): Promise<Counter> {
  const [row] = await tx.query<Counter>('SELECT revision, epoch FROM publication_counter')
  if (!row) throw new Error('the counter of publications is gone')
  return row
}

/**
 * Whatever was published after the state of this database is forgotten, and some node may have it: revisions, versions
 * of sites and serials of zones go on beyond all of that, and every node takes everything anew.
 * @param lost what is known of that time: an epoch that is over already is not ended twice
 */
export async function beginEpoch(tx: Tx, lost: { epoch: string; revision: number } | null): Promise<void> {
  await tx.query('SELECT pg_advisory_xact_lock(4735)')
  const { epoch, revision } = await counterOf(tx)
  if (lost && (lost.epoch !== epoch || lost.revision <= revision || lost.revision > revision + MOST_LOST)) return
  // Sites before the counter, as whoever publishes takes them.
  await tx.query('UPDATE site SET version = version + $1', [LEAP])
  await tx.query(
    'UPDATE publication_counter SET epoch = gen_random_uuid(), revision = greatest(revision, $2::bigint) + $1',
    [LEAP, lost?.revision ?? 0],
  )
  await tx.query('UPDATE node SET taken_revision = 0 WHERE taken_revision IS NOT NULL')
  await tx.query(
    `INSERT INTO outbox (organization_id, kind, key) SELECT organization_id, kind, key FROM publication WHERE kind = 'dns-zone' AND body IS NOT NULL AND organization_id IS NOT NULL`,
  )
  // The collector publishes them every few seconds; those of before would be believed until then.
  await tx.query(`DELETE FROM publication WHERE kind = 'scores'`)
  await tx.query(`SELECT pg_notify('outbox', ''), pg_notify('publication', '')`)
}
