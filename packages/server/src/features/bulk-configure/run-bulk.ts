import { openStore } from '@fairway/analytics'
import { diskGauge, openGeo, type Config, type Database, type Log, type OutgoingGate } from '@fairway/platform'
import { laterActor } from '../../http/authenticate.ts'
import { notifyConsole } from '../../http/commit-change.ts'
import type { Services } from '../../http/context.ts'
import { startLeasedWork } from '../../loops/leased-work.ts'
import type { RunningLoop } from '../../loops/wake-loop.ts'
import { openPayments } from '../billing/payments.ts'
import { applyTo } from './apply.ts'
import { endItem, heldItem, jobById, takeItems, type TakenItem } from './store.ts'
import { tried } from './tried.ts'

const AT_ONCE = 2

/**
 * Brings the domains of bulk jobs to what is wanted. A domain's change and the word that it is done are one
 * transaction: a worker that dies leaves nothing half done and nothing done twice.
 */
export function startBulkConfigure(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  // What few installations ever need is not in memory before the first job.
  const opened: { services?: Promise<Services> } = {}
  const servicesOf = () => (opened.services ??= openServices(config, gate, database, log))
  const loop = startLeasedWork<TakenItem>(database, log, {
    name: 'bulk-configure',
    channel: 'bulk',
    atOnce: AT_ONCE,
    due: `SELECT FROM bulk_item WHERE state = 'waiting' AND (leased_until IS NULL OR leased_until < now())`,
    take: takeItems,
    work: async (item) =>
      configure(await servicesOf(), item).catch((error: unknown) => giveUp(database, log, item, error)),
  })
  return {
    ...loop,
    async [Symbol.asyncDispose]() {
      await loop[Symbol.asyncDispose]()
      await (await opened.services)?.events[Symbol.asyncDispose]()
    },
  }
}

async function openServices(config: Config, gate: OutgoingGate, database: Database, log: Log): Promise<Services> {
  return {
    config,
    database,
    log,
    geo: await openGeo(config),
    events: openStore(config),
    payments: openPayments(config, database),
    gate,
    disk: diskGauge(config),
  }
}

async function configure(services: Services, item: TakenItem): Promise<void> {
  const { database } = services
  const asked = await database.system(async (tx) => {
    const job = await jobById(tx, item.job_id)
    return (
      job && {
        job,
        actor: await tried(
          tx,
          () =>
            laterActor(tx, {
              userId: job.user_id,
              permissions: job.permissions,
              label: job.requested_by,
              impostor: job.impostor,
              source: job.source,
              ip: job.ip,
              apiKeyId: job.api_key_id,
            }),
          true,
        ),
      }
    )
  })
  if (!asked) return
  const { job, actor } = asked
  await database.tenant(item.organization_id, async (tx) => {
    const held = await heldItem(tx, item)
    if (!held) return
    const outcome = actor.ok
      ? await tried(
          tx,
          () =>
            applyTo(
              { tx, actor: actor.value, services, now: new Date(), requestId: job.id },
              { site: held.site_id, domain: held.domain_id },
              job.change,
            ),
          true,
        )
      : actor
    if (outcome.ok)
      await endItem(tx, item, {
        state: outcome.value.changes.length > 0 ? 'done' : 'unchanged',
        version: outcome.value.version,
      })
    else await endItem(tx, item, { state: 'failed', code: outcome.failure.code, fields: outcome.failure.fields ?? [] })
    await notifyConsole(tx, { organizationId: item.organization_id, kind: 'version', siteId: held.site_id })
  })
}

/** A fault of ours is told as one; when even that cannot be written, the item is free again when its lease ends. */
async function giveUp(database: Database, log: Log, item: TakenItem, error: unknown): Promise<void> {
  log.error({ event: 'bulk-configure.failed', job: item.job_id, domain: item.domain_id, err: error })
  await database.tenant(item.organization_id, async (tx) => {
    if (await heldItem(tx, item)) await endItem(tx, item, { state: 'failed', code: 500 })
  })
}
