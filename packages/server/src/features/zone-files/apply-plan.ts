import type { ImportPlan } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { dismiss, follow } from '../dns-records/steered-name.ts'
import { deleteRecords, insertRecords, type StoredRecord, updateValues } from '../dns-records/store.ts'
import { recordedRows, type RecordedRow } from '../versions/recorded-row.ts'

type Plan = Pick<ImportPlan<StoredRecord>, 'added' | 'changed' | 'removed'>

/** Writes what was planned, a few statements for all of it, and records each row. */
export async function applyPlan(context: Context, { added, changed, removed }: Plan): Promise<void> {
  const { tx, actor, site, change } = context
  change.kinds = ['dns-zone']
  const record = (
    id: string,
    { type, name }: { type: string; name: string },
    before: RecordedRow | undefined,
    after: RecordedRow | undefined,
  ) =>
    change.record({ entity: 'dns-record', id, label: `${type} ${name}`, before: before ?? null, after: after ?? null })

  const gone = await deleteRecords(
    tx,
    site.id,
    removed.map(({ id }) => id),
  )
  for (const one of removed) record(one.id, one, gone.get(one.id), undefined)

  const ids = changed.map(({ before }) => before.id)
  const before = await recordedRows(tx, 'dns_record', site.id, ids)
  await updateValues(
    tx,
    site.id,
    changed.map((one) => ({ id: one.before.id, record: one.record })),
  )
  const after = await recordedRows(tx, 'dns_record', site.id, ids)
  for (const one of changed) record(one.before.id, one.record, before.get(one.before.id), after.get(one.before.id))

  if (added.length > 0)
    change.made = await insertRecords(tx, { organizationId: actor.organizationId, siteId: site.id }, added)
  await moveDomains(context, { added, changed, removed })
}

/**
 * A name that multi-CDN does not steer any more may still have its domain, with rules for the next time: it goes, or
 * follows, with its record.
 */
async function moveDomains(context: Context, { changed, removed }: Plan): Promise<void> {
  for (const { domainId } of removed) if (domainId !== null) await dismiss(context, domainId)
  for (const { before, record } of changed)
    if (before.domainId !== null) await follow(context, before.domainId, before, record)
}
