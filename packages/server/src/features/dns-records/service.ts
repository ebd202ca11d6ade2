import { LIMITS, dnsRecords, type DnsRecord, type RecordInput, type RouteParsed } from '@fairway/contract'
import { relativeName, targetName, tidyRecord } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { SOA_TIMERS, nameserversOf, soaNames } from '../../publish/nameservers.ts'
import { primaryOf } from '../dns-primary/store.ts'
import { recordedRow, recordedRows } from '../versions/recorded-row.ts'
import { checkRecord, checkZone, refuseFetched } from './check-zone.ts'
import { dismiss, follow, steer } from './steered-name.ts'
import {
  deleteRecords,
  insertRecord,
  listRecords,
  recordById,
  recordQuota,
  recordsById,
  updateRecord,
  updateValues,
  type RecordRow,
} from './store.ts'

const ORDER = {
  created_at: 'r.created_at',
  modified_at: 'r.modified_at',
  name: 'r.name',
  type: 'r.type',
  value: 'r.value',
  ttl: 'r.ttl_seconds',
  multi_cdn: 'r.multi_cdn',
}

export const dnsRecordsSlice = slice(dnsRecords, {
  async list({ tx, site }, query) {
    const { limit, offset, meta } = pageOf(query)
    if (limit === null && (await recordQuota(tx, site.id)).used > LIMITS.recordsAtOnce)
      throw new Failure(400, { fields: [{ path: 'page_size', message: 'validation.invalid' }] })
    const filter = {
      search: query.search ?? null,
      name: query.name ?? null,
      types: query.type?.split(',') ?? null,
      multiCdn: query.multi_cdn ? query.multi_cdn === 'true' : null,
      tags: query.tag?.split(',') ?? null,
    }
    const { rows, total } = await listRecords(tx, site.id, {
      ...filter,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map(present), meta: meta(total) }
  },

  async zone({ tx, site, services: { config } }) {
    const { used, total } = await recordQuota(tx, site.id)
    const primary = await primaryOf(tx, site.id)
    const own = {
      ...soaNames(config, site),
      serial: Math.max(1, site.version),
      ...SOA_TIMERS,
    }
    return {
      siteId: site.id,
      origin: site.domain_name,
      nameservers: nameserversOf(config, site),
      soa: primary?.soa ? soaFields(primary.soa.rdata) : own,
      fetched: primary !== undefined,
      recordQuota: { used, total },
    }
  },

  async get({ tx, site }, { id }) {
    return present(await existing(tx, site.id, id))
  },

  async create(context, input) {
    const { tx, actor, site, change } = context
    const record = tidyRecord({ ...input, name: relativeName(input.name, site.domain_name) })
    change.kinds = ['dns-zone']
    await checkRecord(context, record, null)
    const id = await insertRecord(tx, actor.organizationId, site.id, record)
    await checkZone(tx, site, [record])
    if (record.multiCdn) await steer(context, id, record)
    change.title = `Add ${labelOf(record)}`
    change.record({
      entity: 'dns-record',
      id,
      label: labelOf(record),
      before: null,
      after: (await recordedRow(tx, 'dns_record', site.id, id)) ?? null,
    })
    return receipt(context, id)
  },

  async update(context, { id, ...patch }) {
    const { tx, site, change } = context
    const row = await existing(tx, site.id, id)
    const before = inputOf(row)
    // What stays is not read again: a name that ends with the site's own by intent keeps doing so.
    const name =
      patch.name === undefined || patch.name === row.name ? row.name : relativeName(patch.name, site.domain_name)
    const record = tidyRecord({ ...before, ...pick(patch), name })
    if (same(before, record)) return { data: present(row), meta: { version: null } }
    change.kinds = ['dns-zone']
    await checkRecord(context, record, before)
    const recorded = (await recordedRow(tx, 'dns_record', site.id, id)) ?? null
    await updateRecord(tx, site.id, id, record)
    await checkZone(tx, site, [before, record])
    if (row.domain_id) await follow(context, row.domain_id, before, record)
    if (record.multiCdn && !before.multiCdn) await steer(context, id, record)
    // Off, DNS answers the record itself. The CDNs stay as they are, ready for when it is switched on again.
    change.title =
      record.multiCdn === before.multiCdn
        ? `Change ${labelOf(record)}`
        : `Multi-CDN ${record.multiCdn ? 'on' : 'off'} for ${record.name}`
    change.record({
      entity: 'dns-record',
      id,
      label: labelOf(record),
      before: recorded,
      after: (await recordedRow(tx, 'dns_record', site.id, id)) ?? null,
    })
    return receipt(context, id)
  },

  async remove(context, { id }) {
    const row = await existing(context.tx, context.site.id, id)
    await removeRecords(context, [row])
    context.change.title = `Remove ${labelOf(row)}`
    return { data: { id }, meta: { version: await context.change.version() } }
  },

  async updateMany(context, { ids, set, force }) {
    const { tx, site, change } = context
    const rows = await manyRecords(context, ids, force)
    change.kinds = ['dns-zone']
    const edits = rows
      .map((row) => ({ row, before: inputOf(row), record: tidyRecord(edited(row, set)) }))
      .filter(({ before, record }) => !same(before, record))
    const quota = await recordQuota(tx, site.id)
    for (const { before, record } of edits) await checkRecord(context, record, before, quota)
    const changed = edits.map(({ row }) => row.id)
    const recorded = await recordedRows(tx, 'dns_record', site.id, changed)
    await updateValues(
      tx,
      site.id,
      edits.map(({ row, record }) => ({ id: row.id, record })),
    )
    await checkZone(
      tx,
      site,
      edits.flatMap(({ before, record }) => [before, record]),
    )
    const after = await recordedRows(tx, 'dns_record', site.id, changed)
    for (const { row, before, record } of edits) {
      if (row.domain_id) await follow(context, row.domain_id, before, record)
      change.record({
        entity: 'dns-record',
        id: row.id,
        label: labelOf(row),
        before: recorded.get(row.id) ?? null,
        after: after.get(row.id) ?? null,
      })
    }
    change.title = edits.length === 1 && edits[0] ? `Change ${labelOf(edits[0].row)}` : `Change ${edits.length} records`
    return { data: { updated: edits.length }, meta: { version: edits.length > 0 ? await change.version() : null } }
  },

  async removeMany(context, { ids, force }) {
    const { change } = context
    const rows = await manyRecords(context, ids, force)
    await removeRecords(context, rows)
    change.title = rows.length === 1 && rows[0] ? `Remove ${labelOf(rows[0])}` : `Remove ${rows.length} records`
    return { data: { removed: rows.length }, meta: { version: await change.version() } }
  },
})

function soaFields(rdata: string) {
  const [mname = '', rname = '', ...numbers] = rdata.split(' ')
  const [serial = 0, refresh = 0, retry = 0, expire = 0, minimum = 0] = numbers.map(Number)
  return { mname: targetName(mname), rname: targetName(rname), serial, refresh, retry, expire, minimum }
}

/** The records of a change of many; one of a large part of the zone has to be meant. */
async function manyRecords({ tx, site }: Context, ids: string[], force: boolean): Promise<RecordRow[]> {
  const wanted = [...new Set(ids)]
  if (!wanted.every(isUuid)) throw new Failure(404)
  const rows = await recordsById(tx, site.id, wanted)
  if (rows.length < wanted.length) throw new Failure(404)
  const { used } = await recordQuota(tx, site.id)
  const { share, fromRecords } = LIMITS.zoneChangeGuard
  if (!force && used >= fromRecords && rows.length > used * share) throw new Failure(900107)
  return rows
}

async function removeRecords(context: Context, rows: RecordRow[]): Promise<void> {
  const { tx, site, change } = context
  change.kinds = ['dns-zone']
  await refuseFetched(tx, site)
  const removed = await deleteRecords(
    tx,
    site.id,
    rows.map((row) => row.id),
  )
  for (const row of rows)
    change.record({
      entity: 'dns-record',
      id: row.id,
      label: labelOf(row),
      before: removed.get(row.id) ?? null,
      after: null,
    })
  for (const { domain_id } of rows) if (domain_id) await dismiss(context, domain_id)
}

async function existing(tx: Context['tx'], siteId: string, id: string): Promise<RecordRow> {
  const row = await recordById(tx, siteId, id)
  if (!row) throw new Failure(404)
  return row
}

async function receipt({ tx, site, change }: Context, id: string) {
  return { data: present(await existing(tx, site.id, id)), meta: { version: await change.version() } }
}

const KEYS = ['name', 'value', 'preference', 'ttlSeconds', 'multiCdn', 'weight', 'comment', 'tags'] as const

type RecordsEdit = RouteParsed<typeof dnsRecords.routes.updateMany>['set']

/** The fields of a patch that were sent. */
function pick(patch: Partial<RecordInput>): Partial<RecordInput> {
  return Object.fromEntries(KEYS.filter((key) => patch[key] !== undefined).map((key) => [key, patch[key]]))
}

const same = (a: RecordInput, b: RecordInput): boolean =>
  KEYS.every((key) => JSON.stringify(a[key]) === JSON.stringify(b[key]))

function edited(row: RecordRow, { addTags = [], removeTags = [], ...set }: RecordsEdit): RecordInput {
  const kept = row.tags.filter((tag) => !removeTags.includes(tag))
  const tags = [...new Set([...kept, ...addTags])]
  const most = LIMITS.tagsPerRecord
  if (tags.length > most)
    throw new Failure(400, { fields: [{ path: 'set.addTags', message: `validation.atMostEntries:${most}` }] })
  return { ...inputOf(row), ...pick(set), tags }
}
const labelOf = ({ type, name }: { type: string; name: string }): string => `${type} ${name}`

function inputOf(row: RecordRow): RecordInput {
  return {
    type: row.type,
    name: row.name,
    value: row.value,
    preference: row.preference,
    ttlSeconds: row.ttl_seconds,
    multiCdn: row.multi_cdn,
    weight: row.weight,
    comment: row.comment,
    tags: row.tags,
  }
}

function present(row: RecordRow): DnsRecord {
  return {
    id: row.id,
    ...inputOf(row),
    comment: row.comment,
    tags: row.tags,
    domainId: row.domain_id,
    cdnIds: row.cdn_ids,
    createdAt: row.created_at.toISOString(),
    modifiedAt: row.modified_at.toISOString(),
  }
}
