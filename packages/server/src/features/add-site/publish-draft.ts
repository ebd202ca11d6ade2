import type { RecordInput } from '@fairway/contract'
import { canHoldRecord, chosenRecords } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { checkRecord, checkZone } from '../dns-records/check-zone.ts'
import { steer } from '../dns-records/steered-name.ts'
import { insertRecords, recordQuota } from '../dns-records/store.ts'
import { enterClaim } from '../names/enter-claim.ts'
import { recordPlanOf } from '../plans/maxima.ts'
import { recordedRows } from '../versions/recorded-row.ts'
import { listFound, markPublished, zoneStatusOf } from './found-store.ts'
import { presentReview } from './review.ts'
import { requestTask } from './task-store.ts'

/**
 * The chosen records become the site's, as one version, and the site is served. What somebody has written into the
 * draft by hand stays.
 */
export async function publishDraft(context: Context): Promise<number> {
  const { tx, actor, site, change } = context
  await refusePublished(context)
  const plan = await recordPlanOf(tx, actor.organizationId)
  const review = presentReview(await listFound(tx, site.id), site.domain_name, plan)
  const chosen = review.data.filter((record) => record.chosen)
  const wrong = chosen.find(({ problem }) => problem?.startsWith('validation.') || problem === 'unsupportedType')
  if (wrong)
    throw new Failure(400, {
      fields: [
        {
          path: `records.${wrong.id}`,
          message: wrong.problem === 'unsupportedType' ? 'validation.invalid' : String(wrong.problem),
        },
      ],
    })
  const records = chosenRecords(chosen)
  for (const record of records) {
    const missing = canHoldRecord(plan, record, null)
    if (missing) throw new Failure(missing, { internal: `${record.type} ${record.name}` })
  }
  await addAll(context, records)
  await markPublished(tx, site.id)
  await enterClaim(tx, context.services.config, site.id, context.now)
  change.title = `Publish ${site.domain_name} with ${records.length} records`
  for (const kind of ['nameservers', 'parity'] as const) await requestTask(tx, actor.organizationId, site.id, kind)
  return change.version()
}

/** Only a draft is reviewed and published. */
export async function refusePublished({ tx, site }: Pick<Context, 'tx' | 'site'>): Promise<void> {
  if ((await zoneStatusOf(tx, site.id)) !== 0) throw new Failure(409, { internal: 'the site is published already' })
}

async function addAll(context: Context, records: readonly RecordInput[]): Promise<void> {
  const { tx, actor, site, change } = context
  const { used, total } = await recordQuota(tx, site.id)
  if (used + records.length > total) throw new Failure(900102)
  for (const record of records) if (record.multiCdn) await checkRecord(context, record, null)
  const ids = await insertRecords(tx, { organizationId: actor.organizationId, siteId: site.id }, records)
  const rows = await recordedRows(tx, 'dns_record', site.id, ids)
  await checkZone(tx, site)
  change.kinds = ['dns-zone']
  for (const [index, record] of records.entries()) {
    const id = ids[index] ?? ''
    if (record.multiCdn) await steer(context, id, record)
    change.record({
      entity: 'dns-record',
      id,
      label: `${record.type} ${record.name}`,
      before: null,
      after: rows.get(id) ?? null,
    })
  }
}
