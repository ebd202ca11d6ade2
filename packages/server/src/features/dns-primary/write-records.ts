import type { EntityChange, RecordInput } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { deleteRecords, insertRecords } from '../dns-records/store.ts'
import { recordedRows, type RecordedRow } from '../versions/recorded-row.ts'
import { recordsOfSite } from '../dns-records/store.ts'
import type { PrimaryRow } from './store.ts'

/**
 * Makes a site's records what its primary has, a few statements for all of it; what is the same stays the row that it
 * is.
 */
export async function writeRecords(
  tx: Tx,
  { organization_id: organizationId, site_id: siteId }: PrimaryRow,
  wanted: readonly RecordInput[],
): Promise<EntityChange[]> {
  const missing = new Map(wanted.map((record) => [keyOf(record), record]))
  const rows = await recordsOfSite(tx, siteId)
  const surplus = rows.filter((row) => !missing.delete(keyOf(row)))
  const gone = await deleteRecords(
    tx,
    siteId,
    surplus.map(({ id }) => id),
  )
  const added = [...missing.values()]
  const ids = await insertRecords(tx, { organizationId, siteId }, added)
  const made = await recordedRows(tx, 'dns_record', siteId, ids)
  const change = (
    id: string,
    { type, name }: RecordInput,
    before: RecordedRow | null,
    after: RecordedRow | null,
  ): EntityChange => ({ entity: 'dns-record', id, label: `${type} ${name}`, before, after })
  return [
    ...surplus.map((row) => change(row.id, row, gone.get(row.id) ?? null, null)),
    ...added.map((record, index) => change(ids[index] ?? '', record, null, made.get(ids[index] ?? '') ?? null)),
  ]
}

const keyOf = ({ type, name, value, preference, ttlSeconds, weight }: RecordInput): string =>
  JSON.stringify([type, name, value, preference, ttlSeconds, weight])
