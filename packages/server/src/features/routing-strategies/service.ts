import { LIMITS, routingStrategies, type RoutingStrategy, type StrategyInput } from '@fairway/contract'
import { METHOD_FEATURES, canUseStrategy, targetName, unreachableStrategies } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { maximaOf } from '../plans/maxima.ts'
import { recordedRow, recordedRows } from '../versions/recorded-row.ts'
import { explain, explainMany, policyOf } from './explain.ts'
import {
  deleteStrategy,
  domainByHost,
  insertStrategy,
  listStrategies,
  setPriorities,
  strategyById,
  strategyOrder,
  targetIds,
  updateStrategy,
  type StrategyRow,
} from './store.ts'

const ORDER = { priority: 'priority', created_at: 'created_at', name: 'name', method: 'method' }

export const routingStrategiesSlice = slice(routingStrategies, {
  async list({ tx, site, domain }, query) {
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listStrategies(tx, domain.id, {
      search: query.search ?? null,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    const policy = await policyOf(tx, { ...domain, organization_id: site.organization_id })
    return { data: rows.map(present), meta: meta(total), warnings: unreachableStrategies(policy) }
  },

  async get({ tx, domain }, { id }) {
    return present(await existing(tx, domain.id, id))
  },

  async create(context, input) {
    const { tx, actor, site, domain, change } = context
    const rule = inputOf(input)
    await refuseMore(context, rule)
    await checkStrategy(context, rule)
    const id = await insertStrategy(
      tx,
      { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id },
      rule,
    )
    change.title = `Add strategy "${rule.name}" to ${domain.name}`
    await record(context, id, rule.name, null)
    return receipt(context, id)
  },

  async update(context, { id, ...input }) {
    const row = await existing(context.tx, context.domain.id, id)
    const rule = inputOf(input)
    if (METHOD_FEATURES[rule.method] !== METHOD_FEATURES[row.method]) await refuseMore(context, rule, id)
    await checkStrategy(context, rule)
    return edit(context, row, rule, `Change strategy "${rule.name}"`)
  },

  async enable(context, { id, enabled }) {
    const row = await existing(context.tx, context.domain.id, id)
    const rule = { ...inputOf(present(row)), enabled }
    if (enabled) await checkStrategy(context, rule)
    return edit(context, row, rule, `Strategy "${row.name}" ${enabled ? 'on' : 'off'}`)
  },

  async remove(context, { id }) {
    const { tx, site, domain, change } = context
    const row = await existing(tx, domain.id, id)
    const before = (await recordedRow(tx, 'strategy', site.id, id)) ?? null
    await deleteStrategy(tx, id)
    change.title = `Remove strategy "${row.name}"`
    change.record({ entity: 'strategy', id, label: row.name, before, after: null })
    return { data: { id }, meta: { version: await change.version() } }
  },

  async reorder(context, { ids }) {
    const { tx, site, domain, change } = context
    const present = await strategyOrder(tx, domain.id)
    if (present.length < 2) throw new Failure(810009)
    if (ids.length !== present.length || !present.every((one) => ids.includes(one.id)))
      throw new Failure(409, { internal: 'the list has changed meanwhile' })
    const moved = present.filter((one) => one.priority !== ids.indexOf(one.id) + 1)
    const movedIds = moved.map((one) => one.id)
    const before = await recordedRows(tx, 'strategy', site.id, movedIds)
    await setPriorities(tx, domain.id, ids)
    const after = await recordedRows(tx, 'strategy', site.id, movedIds)
    for (const { id, name } of moved)
      change.record({
        entity: 'strategy',
        id,
        label: name,
        before: before.get(id) ?? null,
        after: after.get(id) ?? null,
      })
    change.title = `Reorder strategies of ${domain.name}`
    return { data: { ids }, meta: { version: moved.length ? await change.version() : null } }
  },

  async simulate({ tx, services, site, domain, now }, { client, prefixLength, draft }) {
    return explain(
      tx,
      services,
      { ...domain, organization_id: site.organization_id },
      { client, prefixLength, draft },
      now.getTime(),
    )
  },

  async simulateMany({ tx, services, site, domain, now }, { clients }) {
    return explainMany(tx, services, { ...domain, organization_id: site.organization_id }, clients, now.getTime())
  },

  async why({ tx, services, now }, { name, client }) {
    const domain = await domainByHost(tx, targetName(name))
    if (!domain) throw new Failure(404)
    return explain(tx, services, domain, { client }, now.getTime())
  },
})

/** What the plan allows, and that the targets can be reached by it. */
/**
 * A domain has room for so many strategies altogether, and the plan for so many of the rule's kind. `id` is the
 * strategy that the rule replaces.
 */
async function refuseMore({ tx, actor, domain }: Context, rule: StrategyInput, id?: string): Promise<void> {
  const others = (await strategyOrder(tx, domain.id)).filter((one) => one.id !== id)
  const maxima = await maximaOf(tx, actor.organizationId)
  const kind = METHOD_FEATURES[rule.method]
  const most = kind === 'dns.staticRouting' ? maxima.staticStrategiesPerDomain : maxima.dynamicStrategiesPerDomain
  if (
    others.length >= LIMITS.strategiesPerDomain ||
    others.filter(({ method }) => METHOD_FEATURES[method] === kind).length >= most
  )
    throw new Failure(810007)
}

async function checkStrategy({ tx, actor, domain }: Context, rule: StrategyInput): Promise<void> {
  const missing = canUseStrategy([...actor.abilities], rule)
  if (missing) throw new Failure(missing)
  const ids = rule.targets.map((target) => target.cdnId)
  if (new Set(ids).size < ids.length)
    throw new Failure(400, { fields: [{ path: 'targets', message: 'validation.duplicateValue' }] })
  const installed = await targetIds(tx, domain.id)
  if (!ids.every((id) => installed.has(id))) throw new Failure(810011)
  if (rule.method === 'weighted-distribution' && !rule.targets.some((target) => target.weight > 0))
    throw new Failure(810012)
}

async function edit(context: Context, row: StrategyRow, rule: StrategyInput, title: string) {
  const { tx, site, change } = context
  if (JSON.stringify(inputOf(present(row))) === JSON.stringify(rule))
    return { data: present(row), meta: { version: null } }
  const before = (await recordedRow(tx, 'strategy', site.id, row.id)) ?? null
  await updateStrategy(tx, row.id, rule)
  change.title = title
  await record(context, row.id, rule.name, before)
  return receipt(context, row.id)
}

async function record(
  { tx, site, change }: Context,
  id: string,
  label: string,
  before: Record<string, unknown> | null,
): Promise<void> {
  change.record({
    entity: 'strategy',
    id,
    label,
    before,
    after: (await recordedRow(tx, 'strategy', site.id, id)) ?? null,
  })
}

async function receipt({ tx, domain, change }: Context, id: string) {
  return { data: present(await existing(tx, domain.id, id)), meta: { version: await change.version() } }
}

async function existing(tx: Context['tx'], domainId: string, id: string): Promise<StrategyRow> {
  const row = await strategyById(tx, domainId, id)
  if (!row) throw new Failure(404)
  return row
}

/** The editable part, in one order of keys. */
function inputOf({
  name,
  enabled,
  method,
  filter,
  targets,
  availabilityThreshold,
  omitRum,
  omitSum,
  requireAllData,
}: StrategyInput): StrategyInput {
  return {
    name,
    enabled,
    method,
    filter: { places: filter.places, networks: filter.networks, cidrs: filter.cidrs },
    targets: targets.map(({ cdnId, weight }) => ({ cdnId, weight })),
    availabilityThreshold,
    omitRum,
    omitSum,
    requireAllData,
  }
}

function present(row: StrategyRow): RoutingStrategy {
  return {
    id: row.id,
    domainId: row.domain_id,
    name: row.name,
    priority: row.priority,
    enabled: row.enabled,
    method: row.method,
    filter: row.filter,
    targets: row.targets,
    availabilityThreshold: row.availability_threshold,
    omitRum: row.omit_rum,
    omitSum: row.omit_sum,
    requireAllData: row.require_all_data,
    createdAt: row.created_at.toISOString(),
    modifiedAt: row.modified_at.toISOString(),
  }
}
