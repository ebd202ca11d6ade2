import { RecordInput } from '@fairway/contract'
import { absoluteName, canUse, isIpv4, relativeName } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { checkRecord, checkZone } from '../dns-records/check-zone.ts'
import { steer } from '../dns-records/steered-name.ts'
import { insertRecord, isSteeredName, recordById, updateRecord, type RecordRow } from '../dns-records/store.ts'
import { recordedRow } from '../versions/recorded-row.ts'

/**
 * A name of the site that visitors reach by multi-CDN from now on. A single address record of it is switched on with
 * its value as origin unless another is given.
 */
export async function addDomain(
  context: Context,
  { name: typed, origin }: { name: string; origin: string },
): Promise<{ domainId: string; name: string; recordId: string }> {
  const { tx, actor, site, change } = context
  const name = relativeName(typed, site.domain_name)
  const absolute = absoluteName(name, site.domain_name)
  if (await isSteeredName(tx, absolute)) throw new Failure(2019)
  const missing = canUse([...actor.abilities], 'multiCdn.enable')
  if (missing) throw new Failure(missing)
  const record = RecordInput.parse({ type: isIpv4(origin) ? 'A' : 'CNAME', name, value: origin, multiCdn: true })
  const there = await addressRecords(tx, site.id, name)
  change.kinds = ['dns-zone']
  const [only] = there
  if (there.length > 1) throw new Failure(900018, { internal: `${absolute} has several address records` })
  if (only && only.type !== record.type) throw new Failure(900104)
  const before = only ? ((await recordedRow(tx, 'dns_record', site.id, only.id)) ?? null) : null
  await checkRecord(context, record, only ? { ...record, multiCdn: false } : null)
  const id = only?.id ?? (await insertRecord(tx, actor.organizationId, site.id, record))
  if (only) await updateRecord(tx, site.id, only.id, record)
  await checkZone(tx, site)
  await steer(context, id, record)
  change.title = `Add domain ${absolute}`
  change.record({
    entity: 'dns-record',
    id,
    label: `${record.type} ${name}`,
    before,
    after: (await recordedRow(tx, 'dns_record', site.id, id)) ?? null,
  })
  return { domainId: (await recordById(tx, site.id, id))?.domain_id ?? '', name: absolute, recordId: id }
}

async function addressRecords(
  tx: Context['tx'],
  siteId: string,
  name: string,
): Promise<Pick<RecordRow, 'id' | 'type'>[]> {
  return tx.query(
    `SELECT id, type FROM dns_record WHERE site_id = $1 AND name = $2 AND type IN ('A', 'AAAA', 'CNAME')`,
    [siteId, name],
  )
}
