import type { AccessList } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type AccessRow = {
  id: string
  list: AccessList
  kind: 'address' | 'place'
  value: string
  network: string
  exclude: boolean
  note: string
  expires_at: Date | null
  created_at: Date
}
const COLUMNS = 'id, list, kind, value, network, exclude, note, expires_at, created_at'

export async function accessEntries(tx: Tx, domainId: string): Promise<AccessRow[]> {
  return tx.query<AccessRow>(
    `SELECT ${COLUMNS} FROM access_entry WHERE domain_id = $1 ORDER BY list DESC, created_at, value`,
    [domainId],
  )
}

export async function listEntries(
  tx: Tx,
  domainId: string,
  query: {
    list: string | null
    kind: string | null
    search: string | null
    order: string
    limit: number | null
    offset: number
  },
): Promise<{ rows: AccessRow[]; total: number }> {
  const where = `domain_id = $1 AND ($2::text IS NULL OR list = $2) AND ($3::text IS NULL OR kind = $3)
    AND ($4::text IS NULL OR strpos(lower(value), lower($4)) > 0 OR strpos(lower(note), lower($4)) > 0)`
  const values = [domainId, query.list, query.kind, query.search]
  const rows = await tx.query<AccessRow>(
    `SELECT ${COLUMNS} FROM access_entry WHERE ${where} ORDER BY ${query.order}, id LIMIT $5 OFFSET $6`,
    [...values, query.limit, query.offset],
  )
  const [count] = await tx.query<{ total: number }>(
    `SELECT count(*)::int AS total FROM access_entry WHERE ${where}`,
    values,
  )
  return { rows, total: count?.total ?? 0 }
}

export async function countEntries(tx: Tx, domainId: string): Promise<number> {
  const [row] = await tx.query<{ total: number }>(
    'SELECT count(*)::int AS total FROM access_entry WHERE domain_id = $1',
    [domainId],
  )
  return row?.total ?? 0
}

export async function entryById(tx: Tx, domainId: string, id: string): Promise<AccessRow | undefined> {
  return (
    await tx.query<AccessRow>(`SELECT ${COLUMNS} FROM access_entry WHERE domain_id = $1 AND id = $2`, [domainId, id])
  )[0]
}

type Place = { organizationId: string; siteId: string; domainId: string }
export type NewEntry = Pick<AccessRow, 'list' | 'kind' | 'value' | 'network' | 'exclude' | 'note'> & {
  expires_at: string | null
}

/** Adds what is not there yet; answers the ids of what was added. */
export async function insertEntries(tx: Tx, place: Place, entries: readonly NewEntry[]): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO access_entry (organization_id, site_id, domain_id, list, kind, value, network, exclude, note, expires_at)
     SELECT $1, $2, $3, e.list, e.kind, e.value, e.network, e.exclude, e.note, e.expires_at
     FROM jsonb_to_recordset($4::jsonb) AS e (list text, kind text, value text, network text, exclude boolean, note text, expires_at timestamptz)
     ON CONFLICT DO NOTHING RETURNING id`,
    [place.organizationId, place.siteId, place.domainId, JSON.stringify(entries)],
  )
  return rows.map(({ id }) => id)
}

export async function updateEntry(
  tx: Tx,
  id: string,
  { note, expiresAt }: { note: string; expiresAt: string | null },
): Promise<void> {
  await tx.query('UPDATE access_entry SET note = $2, expires_at = $3, modified_at = now() WHERE id = $1', [
    id,
    note,
    expiresAt,
  ])
}

export async function deleteEntries(tx: Tx, domainId: string, ids: readonly string[]): Promise<void> {
  await tx.query('DELETE FROM access_entry WHERE domain_id = $1 AND id = ANY($2)', [domainId, ids])
}
