import type { RecordInput } from '@fairway/contract'
import { absoluteName, targetName } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { beginLeaving } from '../cdn-management/leaving.ts'
import { recorded, recordedRow, type RecordedRow } from '../versions/recorded-row.ts'
import { checkZone } from './check-zone.ts'
import {
  deleteRules,
  domainByName,
  linkDomain,
  markDomainRemoved,
  moveOrigin,
  recordOfDomain,
  renameDomain,
  setMultiCdn,
  upsertDomain,
} from './store.ts'

const DOCUMENTS = ['dns-zone', 'edge-site', 'probe-targets'] as const

/** What a CDN fetches from, by the record's value. */
export const originOf = (record: Pick<RecordInput, 'type' | 'value'>): string =>
  record.type === 'CNAME' ? targetName(record.value) : record.value

/**
 * Multi-CDN is switched on for a record: its name becomes a domain with the record's value as origin, or is one again.
 */
export async function steer(
  { tx, actor, site, change }: Context,
  recordId: string,
  record: RecordInput,
): Promise<void> {
  const name = absoluteName(record.name, site.domain_name)
  const known = await domainByName(tx, site.id, name)
  const before = known && !known.removed ? await recordedRow(tx, 'domain', site.id, known.id) : undefined
  const id =
    known && !known.removed
      ? known.id
      : await upsertDomain(tx, {
          organizationId: actor.organizationId,
          siteId: site.id,
          name,
          origin: originOf(record),
        })
  if (!before)
    change.record({
      entity: 'domain',
      id,
      label: name,
      before: null,
      after: (await recordedRow(tx, 'domain', site.id, id)) ?? null,
    })
  await linkDomain(tx, recordId, id)
  change.kinds = DOCUMENTS
  change.domain = name
}

/** A CDN is attached to a domain: multi-CDN is on from now on. */
export async function switchOn({ tx, site, change }: Context, domainId: string): Promise<void> {
  const record = await recordOfDomain(tx, domainId)
  if (!record || record.multi_cdn) return
  const before = (await recordedRow(tx, 'dns_record', site.id, record.id)) ?? null
  await setMultiCdn(tx, record.id, true)
  await checkZone(tx, site)
  change.record({
    entity: 'dns-record',
    id: record.id,
    label: `${record.type} ${record.name}`,
    before,
    after: (await recordedRow(tx, 'dns_record', site.id, record.id)) ?? null,
  })
}

/** The record of a domain was edited: its origin and its name follow. */
export async function follow(
  { tx, site, change }: Context,
  domainId: string,
  before: RecordInput,
  after: RecordInput,
): Promise<void> {
  const row = await recordedRow(tx, 'domain', site.id, domainId)
  if (originOf(before) !== originOf(after)) await moveOrigin(tx, domainId, originOf(before), originOf(after))
  const name = absoluteName(after.name, site.domain_name)
  if (before.name !== after.name) {
    if (await domainByName(tx, site.id, name))
      throw new Failure(27043, { internal: `${name} is still leaving its CDNs` })
    await renameDomain(tx, domainId, name, await change.version())
  }
  recordDomain(change, domainId, name, row, await recordedRow(tx, 'domain', site.id, domainId))
  change.domain = name
}

function recordDomain(
  change: Context['change'],
  id: string,
  label: string,
  before: RecordedRow | undefined,
  after: RecordedRow | undefined,
): void {
  if (JSON.stringify(before) === JSON.stringify(after)) return
  change.record({ entity: 'domain', id, label, before: before ?? null, after: after ?? null })
  change.kinds = DOCUMENTS
}

/** The record is gone and its domain with it, rules included; the CDNs leave when resolvers have forgotten them. */
export async function dismiss(context: Context, domainId: string): Promise<void> {
  const { tx, site, change } = context
  change.kinds = DOCUMENTS
  await beginLeaving(context, domainId)
  const { strategies, vsrRules } = await deleteRules(tx, domainId)
  for (const { id, name, row } of strategies)
    change.record({ entity: 'strategy', id, label: name, before: recorded(row), after: null })
  for (const { id, name, row } of vsrRules)
    change.record({ entity: 'vsr-rule', id, label: name, before: recorded(row), after: null })
  const before = (await recordedRow(tx, 'domain', site.id, domainId)) ?? null
  await markDomainRemoved(tx, domainId)
  change.domain = String(before?.['name'] ?? '')
  change.record({ entity: 'domain', id: domainId, label: change.domain, before, after: null })
}
