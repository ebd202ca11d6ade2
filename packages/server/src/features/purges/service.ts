import { purges, type Purge, type PurgeKind, type PurgePreview } from '@fairway/contract'
import { purgeTargets } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { notifyConsole } from '../../http/commit-change.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { isUuid } from '../../http/tenant.ts'
import { heldObjects, partOf } from './held-objects.ts'
import { overallStatus } from './overall-status.ts'
import {
  attachedTo,
  domainsOfSite,
  insertPurge,
  insertReceipt,
  listPurges,
  markUndone,
  nextPurgeVersion,
  purgeById,
  type PurgeRow,
} from './store.ts'

const ORDER = { created_at: 'p.created_at', domain: 'd.name' }
const TOP = 10

export const purgesSlice = slice(purges, {
  async list({ tx, site }, { domain_id, ...query }) {
    if (domain_id !== undefined && !isUuid(domain_id)) throw new Failure(404)
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listPurges(tx, {
      siteId: site.id,
      domainId: domain_id ?? null,
      search: query.search ?? null,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map(present), meta: meta(total) }
  },

  async get({ tx, site }, { id }) {
    return only(tx, site.id, id)
  },

  async preview(context, input) {
    const wanted = await wantedOf(context, input)
    const found: PurgePreview = { objects: 0, bytes: 0, top: [], cdns: [], complete: true, nodes: 0 }
    for (const { domain, values } of wanted) {
      const held = await heldObjects(context, domain, input.kind, values)
      for (const cdn of await attachedTo(context.tx, domain.id)) addPart(found, cdn, partOf(cdn, held))
      for (const answer of held.answers)
        for (const { cdns, ...top } of answer.top) found.top.push({ ...top, cdns: cdns.length })
      found.complete &&= held.complete
      found.nodes = Math.max(found.nodes, held.nodes)
    }
    return { ...found, top: found.top.toSorted((a, b) => b.bytes - a.bytes).slice(0, TOP) }
  },

  async create(context, input) {
    const { tx, actor, site, change } = context
    const made: string[] = []
    for (const { domain, values } of await wantedOf(context, input)) {
      const cdns = await attachedTo(tx, domain.id)
      if (cdns.length === 0) throw new Failure(27031)
      const held = await heldObjects(context, domain, input.kind, values)
      const version = await nextPurgeVersion(tx, actor.organizationId, domain.id)
      const id = await insertPurge(tx, {
        organizationId: actor.organizationId,
        siteId: site.id,
        domainId: domain.id,
        kind: input.kind,
        targets: values,
        soft: input.soft,
        requestedBy: actor.label,
        version,
      })
      for (const cdn of cdns)
        await insertReceipt(tx, {
          organizationId: actor.organizationId,
          purgeId: id,
          cdnId: cdn.id,
          ...partOf(cdn, held),
          looked: held.complete,
        })
      change.record({
        entity: 'purge',
        id,
        label: domain.name,
        before: null,
        after: { kind: input.kind, targets: values, soft: input.soft },
      })
      made.push(id)
    }
    await tx.query(`SELECT pg_notify('purge', '')`)
    return { data: await Promise.all(made.map((id) => only(tx, site.id, id))), meta: { version: null } }
  },

  async undo(context, { id }) {
    const { tx, actor, site, change } = context
    const purge = await purgeById(tx, site.id, id)
    if (!purge) throw new Failure(404)
    if (!purge.soft || !(await markUndone(tx, id))) throw new Failure(27030)
    await nextPurgeVersion(tx, actor.organizationId, purge.domain_id)
    change.record({
      entity: 'purge',
      id,
      label: purge.domain,
      before: { kind: purge.kind, targets: purge.targets },
      after: null,
    })
    await notifyConsole(tx, { organizationId: actor.organizationId, kind: 'version', siteId: site.id })
    return { data: await only(tx, site.id, id), meta: { version: null } }
  },
})

type Wanted = { domain: { id: string; name: string }; values: string[] }

/** Domains and targets of a purge. @throws Failure with the rule that they break, and the target it is about */
async function wantedOf(
  { tx, site }: Context,
  { domainIds, kind, targets }: { domainIds: string[]; kind: PurgeKind; targets: string[] },
): Promise<Wanted[]> {
  const ids = [...new Set(domainIds)]
  const domains = ids.every(isUuid) ? await domainsOfSite(tx, site.id, ids) : []
  if (domains.length !== ids.length) throw new Failure(404)
  const parsed = purgeTargets(domains, kind, targets)
  if (!parsed.ok) {
    const path = parsed.index < 0 ? 'targets' : `targets.${parsed.index}`
    throw new Failure(
      parsed.code,
      parsed.code === 27029 ? {} : { fields: [{ path, message: parsed.message || `errorMessage.${parsed.code}` }] },
    )
  }
  return domains.flatMap((domain) => {
    const values = parsed.byDomain.get(domain.id)
    return values ? [{ domain, values }] : []
  })
}

function addPart(
  found: PurgePreview,
  { id, name, series }: { id: string; name: string; series: number },
  { objects, bytes }: { objects: number; bytes: number },
): void {
  found.objects += objects
  found.bytes += bytes
  const known = found.cdns.find(({ cdnId }) => cdnId === id)
  if (known) Object.assign(known, { objects: known.objects + objects, bytes: known.bytes + bytes })
  else found.cdns.push({ cdnId: id, name, series, objects, bytes })
}

async function only(tx: Context['tx'], siteId: string, id: string): Promise<Purge> {
  const row = await purgeById(tx, siteId, id)
  if (!row) throw new Failure(404)
  return present(row)
}

function present(row: PurgeRow): Purge {
  return {
    id: row.id,
    domainId: row.domain_id,
    domain: row.domain,
    kind: row.kind,
    targets: row.targets,
    soft: row.soft,
    status: overallStatus(row.receipts.map(({ status }) => status)),
    receipts: row.receipts.map((receipt) => ({
      ...receipt,
      finishedAt: receipt.finishedAt === null ? null : new Date(receipt.finishedAt).toISOString(),
    })),
    requestedBy: row.requested_by,
    undoneAt: row.undone_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  }
}
