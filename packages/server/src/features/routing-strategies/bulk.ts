import type { SampledClients } from '@fairway/analytics'
import type { RouteParsed, SteeringEffect, routingStrategies } from '@fairway/contract'
import { canUse } from '@fairway/domain'
import { ChangeRecorder, type Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import type { Verbs } from '../../http/register.ts'
import { tried } from '../bulk-configure/tried.ts'
import { maximaOf } from '../plans/maxima.ts'
import { replaceRules } from '../vsr-rules/replace.ts'
import { policyOf } from './explain.ts'
import { clientsOfDay, movedVisitors } from './moved-visitors.ts'
import { replaceStrategies } from './replace.ts'
import { inputOf, present } from './rule.ts'
import { changeSetting, settingOf } from './setting.ts'
import { allStrategies } from './store.ts'

type Routes = (typeof routingStrategies)['routes']
type BulkVerbs = Pick<Verbs<typeof routingStrategies>, 'cloneAndReplace' | 'cloneEffect' | 'bulkUpdate' | 'bulkEffect'>
type Target = { id: string; name: string; index: number } & Parameters<typeof policyOf>[1]
type Work = (context: Context, target: Target) => Promise<void>

/** Clients that are decided for in one call, all domains together, and for each at least. */
const MOST_CLIENTS = 4_000
const LEAST_CLIENTS = 20
const ENOUGH_CLIENTS = 500
/** For the clients of all domains of a call. */
const PATIENCE_MS = 8_000

/** Gives other domains of the site the strategies, VSR rules or setting of this one. */
export const cloneAndReplace: BulkVerbs['cloneAndReplace'] = async (context, input) => {
  const { domain, change } = context
  const changedIds = await toEach(context, input.domainIds, await cloning(context, input))
  change.title = `Clone the steering of ${domain.name} to ${input.domainIds.length} domains`
  return receipt(context, input, changedIds)
}

export const cloneEffect: BulkVerbs['cloneEffect'] = async (context, input) => ({
  data: await effects(context, input.domainIds, await cloning(context, input)),
})

/** Changes all strategies, or the setting, of several domains of the site alike. */
export const bulkUpdate: BulkVerbs['bulkUpdate'] = async (context, input) => {
  const changedIds = await toEach(context, input.domainIds, updating(input))
  context.change.title = `Change the steering of ${input.domainIds.length} domains`
  return receipt(context, input, changedIds)
}

export const bulkEffect: BulkVerbs['bulkEffect'] = async (context, input) => ({
  data: await effects(context, input.domainIds, updating(input)),
})

/** What a clone does to each domain: what it gives is read once. */
async function cloning(
  { tx, actor, domain }: Context,
  { domainIds, strategies, vsrRules, setting }: RouteParsed<Routes['cloneAndReplace']>,
): Promise<Work> {
  if (domainIds.includes(domain.id))
    throw new Failure(400, { fields: [{ path: 'domainIds', message: 'validation.duplicateValue' }] })
  const unplanned = vsrRules ? canUse([...actor.abilities], 'dns.vsr') : null
  if (unplanned) throw new Failure(unplanned)
  const list = (await allStrategies(tx, domain.id)).map((row) => inputOf(present(row)))
  const most = (await maximaOf(tx, actor.organizationId)).vsrRulesPerDomain
  // The TTL is a DNS record's, and how a domain is steered is not why it should change.
  const { ttlSeconds: _, ...wanted } = await settingOf(tx, domain.id)
  return async (context, target) => {
    if (strategies) await replaceStrategies(context, target, list, `domainIds.${target.index}.strategies`)
    if (vsrRules) await replaceRules(context, domain.id, target, most)
    if (setting) await changeSetting(context, target, wanted)
  }
}

function updating({ strategy, setting }: RouteParsed<Routes['bulkUpdate']>): Work {
  return async (context, target) => {
    if (strategy) {
      const list = (await allStrategies(context.tx, target.id)).map((row) => ({
        id: row.id,
        ...inputOf({ ...present(row), ...strategy }),
      }))
      await replaceStrategies(context, target, list, `domainIds.${target.index}.strategies`)
    }
    if (setting) await changeSetting(context, target, setting)
  }
}

/** Does it to one domain after the other, or to none; the ids of those that were not as wanted already. */
async function toEach(context: Context, domainIds: string[], work: Work): Promise<string[]> {
  const changedIds: string[] = []
  for (const target of await domainsOf(context, domainIds)) {
    const known = context.change.changes.length
    await work(context, target)
    if (context.change.changes.length > known) changedIds.push(target.id)
  }
  return changedIds
}

/** Tries it with each domain by itself and takes it back; whom it would move is told by the last day's visitors. */
async function effects(context: Context, domainIds: string[], work: Work): Promise<SteeringEffect[]> {
  const targets = await domainsOf(context, domainIds)
  const most = Math.min(ENOUGH_CLIENTS, Math.max(LEAST_CLIENTS, Math.floor(MOST_CLIENTS / targets.length)))
  // What is tried keeps its connection: the event store is asked before.
  const asked = await clientsOfEach(context, targets, most)
  const data: SteeringEffect[] = []
  for (const target of targets) {
    const change = new ChangeRecorder(context.tx)
    const before = await policyOf(context.tx, target)
    const outcome = await tried(
      context.tx,
      async () => {
        await work({ ...context, change }, target)
        return policyOf(context.tx, target)
      },
      false,
    )
    const { id: domainId, name } = target
    if (outcome.ok) {
      const clients = asked.get(domainId)
      const visitors = clients ? await movedVisitors(context, clients, before, outcome.value) : null
      data.push({ domainId, name, code: null, fields: [], changes: change.changes, visitors })
    } else {
      const { code, fields } = outcome.failure
      data.push({ domainId, name, code, fields: fields ?? [], changes: [], visitors: null })
    }
  }
  return data
}

/** Without those for which the event store has no answer in time: what would change is told all the same. */
async function clientsOfEach(
  context: Context,
  targets: readonly Target[],
  most: number,
): Promise<Map<string, SampledClients>> {
  const asked = new Map<string, SampledClients>()
  const until = performance.now() + PATIENCE_MS
  try {
    for (const { id } of targets)
      asked.set(id, await clientsOfDay(context, id, most, Math.max(0, until - performance.now())))
  } catch (error) {
    // A store that is away is not asked again for each of the others.
    if (!(error instanceof Failure && error.code === 503)) throw error
  }
  return asked
}

async function receipt({ change }: Context, { domainIds }: { domainIds: string[] }, changedIds: string[]) {
  return {
    data: { domainIds: [...new Set(domainIds)], changedIds },
    meta: { version: change.changes.length > 0 ? await change.version() : null },
  }
}

/** Domains of the site in the order given, each with its place in it. */
async function domainsOf({ tx, site }: Context, domainIds: string[]): Promise<Target[]> {
  const rows = await tx.query<Omit<Target, 'index' | 'organization_id'>>(
    'SELECT id, name, site_id, minimum_samples, margin_percent, significance FROM domain WHERE site_id = $1 AND id = ANY($2) AND removed_at IS NULL',
    [site.id, domainIds],
  )
  return [...new Set(domainIds)].map((id, index) => {
    const row = rows.find((one) => one.id === id)
    if (!row) throw new Failure(404)
    return { ...row, organization_id: site.organization_id, index }
  })
}
