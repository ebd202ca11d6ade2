import { routingStrategies, type StrategyInput } from '@fairway/contract'
import { METHOD_FEATURES, overlappingStrategies, targetName, unreachableStrategies } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { recordedRow, recordedRows } from '../versions/recorded-row.ts'
import { bulkEffect, bulkUpdate, cloneAndReplace, cloneEffect } from './bulk.ts'
import { checkDraft, checkStrategy, refuseMore } from './checks.ts'
import { explain, explainMany, policyOf } from './explain.ts'
import { replaceStrategies } from './replace.ts'
import { inputOf, present } from './rule.ts'
import { changeSetting, settingOf } from './setting.ts'
import {
  allStrategies,
  deleteStrategy,
  domainByHost,
  insertStrategy,
  listStrategies,
  setPriorities,
  strategyById,
  strategyOrder,
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
    return {
      data: rows.map(present),
      meta: meta(total),
      warnings: [...unreachableStrategies(policy), ...overlappingStrategies(policy)],
    }
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

  async replace(context, { strategies }) {
    const { domain, change } = context
    await replaceStrategies(context, domain, strategies)
    change.title = `Replace strategies of ${domain.name}`
    const version = change.changes.length > 0 ? await change.version() : null
    return { data: { strategies: (await allStrategies(context.tx, domain.id)).map(present) }, meta: { version } }
  },

  cloneAndReplace,
  cloneEffect,
  bulkUpdate,
  bulkEffect,

  async setting({ tx, domain }) {
    return settingOf(tx, domain.id)
  },

  async putSetting(context, input) {
    const { tx, domain, change } = context
    const { site: _, domain: __, ...wanted } = input
    await changeSetting(context, domain, wanted)
    change.title = `Change how ${domain.name} is steered`
    const version = change.changes.length > 0 ? await change.version() : null
    return { data: await settingOf(tx, domain.id), meta: { version } }
  },

  async simulate(context, { client, prefixLength, draft }) {
    const { tx, services, site, domain, now } = context
    if (draft) await checkDraft(context, draft)
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
