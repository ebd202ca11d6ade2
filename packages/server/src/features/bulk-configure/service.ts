import { bulkConfigure, type BulkItem, type BulkJob, type BulkPreview } from '@fairway/contract'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { slice } from '../../http/register.ts'
import { applyTo } from './apply.ts'
import {
  chosenDomains,
  countUnfinished,
  insertJob,
  itemsOf,
  jobById,
  recentJobs,
  retryFailed,
  type ItemRow,
  type JobRow,
} from './store.ts'
import { tried } from './tried.ts'

/** Of jobs of one organisation, so that nobody's changes are spread over days. */
const MOST_UNFINISHED = 5

export const bulkConfigureSlice = slice(bulkConfigure, {
  async preview(context, { domainIds, change }) {
    const data: BulkPreview[] = []
    const trial = { ...context, isTrial: true }
    for (const { id, site_id, name, site_name } of await domainsOf(context, domainIds)) {
      const outcome = await tried(context.tx, () => applyTo(trial, { site: site_id, domain: id }, change), false)
      data.push({
        domainId: id,
        name,
        siteName: site_name,
        changes: outcome.ok ? outcome.value.changes : [],
        code: outcome.ok ? null : outcome.failure.code,
        fields: outcome.ok ? [] : (outcome.failure.fields ?? []),
      })
    }
    return { data }
  },

  async list({ tx }) {
    return { data: (await recentJobs(tx)).map(present) }
  },

  async get({ tx }, { id }) {
    return only(tx, id)
  },

  async create(context, { domainIds, change }) {
    const { tx, actor, change: recorder } = context
    const domains = await domainsOf(context, domainIds)
    await refuseMoreJobs(tx)
    const id = await insertJob(
      tx,
      {
        organization_id: actor.organizationId,
        user_id: actor.userId,
        requested_by: actor.label,
        impostor: actor.impostor,
        source: actor.source,
        api_key_id: actor.apiKeyId,
        ip: actor.ip,
        permissions: [...actor.permissions],
        change,
      },
      domains.map((domain) => domain.id),
    )
    recorder.record({
      entity: 'bulk-job',
      id,
      label: change.tab,
      before: null,
      after: { ...change, domains: domains.map(({ name }) => name) },
    })
    return { data: await only(tx, id), meta: { version: null } }
  },

  async retry({ tx, actor, change }, { id }) {
    // What runs is judged by who asked for the job: a key would do by it what its tier may not.
    if (actor.apiKeyId !== null && (await existing(tx, id)).api_key_id !== actor.apiKeyId)
      throw new Failure(403, { internal: 'a key tries the jobs again that it asked for' })
    const job = await only(tx, id)
    if (job.counts.failed === 0) throw new Failure(7409)
    if (job.finishedAt !== null) await refuseMoreJobs(tx)
    await retryFailed(tx, id)
    change.record({
      entity: 'bulk-job',
      id,
      label: job.change.tab,
      before: null,
      after: { domains: job.items.filter(({ state }) => state === 'failed').map(({ name }) => name) },
    })
    return { data: await only(tx, id), meta: { version: null } }
  },
})

/** @throws Failure 429 while as many jobs of the organisation are unfinished as may be */
async function refuseMoreJobs(tx: Context['tx']): Promise<void> {
  if ((await countUnfinished(tx)) < MOST_UNFINISHED) return
  throw new Failure(429, { internal: 'as many unfinished jobs as there may be', retryAfterSeconds: 60 })
}

async function domainsOf({ tx }: Context, ids: readonly string[]) {
  const wanted = [...new Set(ids)]
  const domains = await chosenDomains(tx, wanted)
  if (domains.length !== wanted.length) throw new Failure(404)
  return domains
}

async function existing(tx: Context['tx'], id: string): Promise<JobRow> {
  const job = await jobById(tx, id)
  if (!job) throw new Failure(404)
  return job
}

async function only(tx: Context['tx'], id: string): Promise<BulkJob & { items: BulkItem[] }> {
  return { ...present(await existing(tx, id)), items: (await itemsOf(tx, id)).map(presentItem) }
}

function present(row: JobRow): BulkJob {
  return {
    id: row.id,
    change: row.change,
    requestedBy: row.requested_by,
    createdAt: row.created_at.toISOString(),
    finishedAt: row.finished_at?.toISOString() ?? null,
    counts: { waiting: row.waiting, done: row.done, unchanged: row.unchanged, failed: row.failed },
  }
}

function presentItem(row: ItemRow): BulkItem {
  return {
    domainId: row.domain_id,
    siteId: row.site_id,
    name: row.name,
    siteName: row.site_name,
    state: row.state,
    code: row.code,
    fields: row.fields,
    version: row.version,
    finishedAt: row.finished_at?.toISOString() ?? null,
  }
}
