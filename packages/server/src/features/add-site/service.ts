import { addSite, type FoundRecord, type NsStatus } from '@fairway/contract'
import { canHoldRecord, type RecordPlan, targetName } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { recordQuota } from '../dns-records/store.ts'
import { allotPair, refuseTaken } from '../names/enter-claim.ts'
import { claimOf } from '../names/store.ts'
import { recordPlanOf } from '../plans/maxima.ts'
import { presentSite, refuseFull, refuseSiteName } from '../sites/service.ts'
import { insertSite } from '../sites/store.ts'
import { addDomain } from './add-domain.ts'
import {
  addFound,
  chooseFound,
  countFound,
  deleteFound,
  foundById,
  listFound,
  updateFound,
  type FoundRow,
} from './found-store.ts'
import { presentNsStatus, presentParity, presentScan } from './present-task.ts'
import { publishDraft, refusePublished } from './publish-draft.ts'
import { readFile } from './read-file.ts'
import { presentDomains, presentReview } from './review.ts'
import { requestTask, taskOf } from './task-store.ts'

export const addSiteSlice = slice(addSite, {
  async eligibility(context, { domainName }) {
    const { name, used, total } = await eligible(context, domainName, { contest: false, adds: false })
    return { domainName: name, sitesUsed: used, sitesTotal: total }
  },

  async create(context, { domainName, contest }) {
    const { tx, actor, change, services, now } = context
    const { name } = await eligible(context, domainName, { contest, adds: true })
    const { id, row } = await insertSite(tx, actor.organizationId, name, {
      draft: true,
      pair: await allotPair(tx, services.config, actor.organizationId, name),
    })
    change.siteId = id
    change.title = `Add draft ${name}`
    change.record({ entity: 'site', id, label: name, before: null, after: row })
    await requestTask(tx, actor.organizationId, id, 'scan')
    return { data: await presentSite(tx, services.config, id, now), meta: { version: null } }
  },

  async scan({ tx, site }) {
    return presentScan(await taskOf(tx, site.id, 'scan'), await countFound(tx, site.id))
  },

  async startScan(context) {
    const { tx, actor, site } = context
    await refusePublished(context)
    await requestTask(tx, actor.organizationId, site.id, 'scan')
    return presentScan(await taskOf(tx, site.id, 'scan'), await countFound(tx, site.id))
  },

  readFile,

  async found({ tx, actor, site }) {
    const { used, total } = await recordQuota(tx, site.id)
    const review = presentReview(
      await listFound(tx, site.id),
      site.domain_name,
      await recordPlanOf(tx, actor.organizationId),
    )
    return { ...review, recordQuota: { used, total } }
  },

  async addFound(context, record) {
    const { tx, actor, site } = context
    await refusePublished(context)
    const plan = await recordPlanOf(tx, actor.organizationId)
    const wanted = tidy(record)
    refuseUnplanned(plan, { ...wanted, multiCdn: false }, null)
    const before = new Set((await listFound(tx, site.id)).map(({ id }) => id))
    const added = await addFound(
      tx,
      { organizationId: actor.organizationId, siteId: site.id },
      [{ ...wanted, oldTtlSeconds: null, chosen: true }],
      'hand',
    )
    if (!added) throw new Failure(900101)
    return presented(await listFound(tx, site.id), site.domain_name, plan, ({ id }) => !before.has(id))
  },

  async choose(context, { ids, chosen }) {
    await refusePublished(context)
    return { changed: await chooseFound(context.tx, context.site.id, ids, chosen) }
  },

  async editFound(context, { id, ...patch }) {
    const { tx, actor, site } = context
    const row = await foundById(tx, site.id, id)
    if (!row) throw new Failure(404)
    await refusePublished(context)
    const sent = Object.fromEntries(
      Object.entries({
        name: patch.name,
        value: patch.value,
        preference: patch.preference,
        ttlSeconds: patch.ttlSeconds,
        multiCdn: patch.multiCdn,
      }).filter(([, value]) => value !== undefined),
    )
    const edited: FoundRow = { ...tidy({ ...row, ...sent }) }
    const plan = await recordPlanOf(tx, actor.organizationId)
    refuseUnplanned(plan, edited, row)
    if (edited.multiCdn && !row.multiCdn) refuseSteering(context, plan, await listFound(tx, site.id), edited)
    await updateFound(tx, site.id, edited).catch((error: unknown) => {
      throw error instanceof Error && 'code' in error && error.code === '23505' ? new Failure(900101) : error
    })
    return presented(await listFound(tx, site.id), site.domain_name, plan, (one) => one.id === id)
  },

  async removeFound(context, { id }) {
    if (!(await deleteFound(context.tx, context.site.id, id))) throw new Failure(404)
    await refusePublished(context)
    return { id }
  },

  async domains({ tx, actor, site }) {
    const plan = await recordPlanOf(tx, actor.organizationId)
    return { data: presentDomains(await listFound(tx, site.id), site.domain_name, plan) }
  },

  async publish(context) {
    const version = await publishDraft(context)
    return {
      data: await presentSite(context.tx, context.services.config, context.site.id, context.now),
      meta: { version },
    }
  },

  async parity({ tx, site }) {
    return presentParity(await taskOf(tx, site.id, 'parity'))
  },

  async startParity(context) {
    const { tx, actor, site } = context
    if ((await presentNs(context)).dnsState === 'draft') throw new Failure(409, { internal: 'a draft is not served' })
    await requestTask(tx, actor.organizationId, site.id, 'parity')
    return presentParity(await taskOf(tx, site.id, 'parity'))
  },

  nsStatus: presentNs,

  async checkNameservers(context) {
    const { tx, actor, site } = context
    if ((await presentNs(context)).dnsState === 'draft') throw new Failure(409, { internal: 'a draft is not served' })
    await requestTask(tx, actor.organizationId, site.id, 'nameservers')
    return presentNs({ ...context, now: new Date() })
  },

  async addDomain(context, input) {
    const data = await addDomain(context, input)
    return { data, meta: { version: await context.change.version() } }
  },
})

/** The name as a site's, when it can be one and nobody has it. */
async function eligible(
  { tx, actor, services }: Context,
  domainName: string,
  { contest, adds }: { contest: boolean; adds: boolean },
): Promise<{ name: string; used: number; total: number }> {
  const name = targetName(domainName)
  refuseSiteName(name)
  await refuseTaken(tx, services.config, actor.organizationId, name, contest)
  return { name, ...(await refuseFull(tx, actor.organizationId, { adds })) }
}

async function presentNs({ tx, site, services, now }: Context): Promise<NsStatus> {
  const claim = await claimOf(tx, site.id)
  const row = (
    await tx.query<{ dns_state: NsStatus['dnsState'] }>('SELECT dns_state FROM site WHERE id = $1', [site.id])
  )[0]
  if (!claim || !row) throw new Failure(404)
  return presentNsStatus(await taskOf(tx, site.id, 'nameservers'), { ...claim, ...row }, services.config, now)
}

/** What the plan lacks is said where it is written, not only when the draft is published. */
function refuseUnplanned(
  plan: RecordPlan,
  record: Parameters<typeof canHoldRecord>[1],
  before: Parameters<typeof canHoldRecord>[2],
): void {
  const missing = canHoldRecord(plan, record, before)
  if (missing) throw new Failure(missing)
}

/** Multi-CDN takes one record of a name as its origin. */
function refuseSteering({ site }: Context, plan: RecordPlan, rows: readonly FoundRow[], edited: FoundRow): void {
  const domain = presentDomains(
    rows.map((row) => (row.id === edited.id ? { ...edited, multiCdn: false } : row)),
    site.domain_name,
    plan,
  ).find(({ name }) => name === edited.name)
  if (!domain || domain.recordId !== edited.id || domain.problem)
    throw new Failure(STEERING.find((code) => domain?.problem === `code:${code}`) ?? 900018)
}

const STEERING = [900018, 900020, 900023, 900028, 900104, 900106] as const

/** Names in values are kept without the trailing dot; only MX has a preference. */
function tidy<R extends { type: string; value: string; preference: number | null }>(record: R): R {
  const named = ['CNAME', 'NS', 'PTR'].includes(record.type) || (record.type === 'MX' && record.value !== '.')
  return {
    ...record,
    value: named ? targetName(record.value) : record.value,
    preference: record.type === 'MX' ? (record.preference ?? 10) : null,
  }
}

function presented(
  rows: readonly FoundRow[],
  siteName: string,
  plan: RecordPlan,
  which: (row: FoundRecord) => boolean,
): FoundRecord {
  const row = presentReview(rows, siteName, plan).data.find(which)
  if (!row) throw new Failure(404)
  return row
}
