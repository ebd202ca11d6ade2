import { vsrRules, type VsrRule } from '@fairway/contract'
import { canUse } from '@fairway/domain'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { maximaOf } from '../plans/maxima.ts'
import { targetIds } from '../routing-strategies/store.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import { vsrEffect } from './effect.ts'
import {
  countRules,
  deleteRule,
  insertRule,
  listRules,
  ruleById,
  updateRule,
  type VsrRow,
  type VsrSettings,
} from './store.ts'

const ORDER = { created_at: 'created_at', name: 'name' }

export const vsrRulesSlice = slice(vsrRules, {
  async list({ tx, domain }, query) {
    const { limit, offset, meta } = pageOf(query)
    const { rows, total } = await listRules(tx, domain.id, {
      search: query.search ?? null,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map(present), meta: meta(total) }
  },

  async create(context, input) {
    const { tx, actor, site, domain, change } = context
    if ((await countRules(tx, domain.id, null)) >= (await maximaOf(tx, actor.organizationId)).vsrRulesPerDomain)
      throw new Failure(810008)
    const rule = await settled(context, input)
    const id = await insertRule(
      tx,
      { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id },
      rule,
    )
    change.title = `Add VSR rule "${rule.name}" to ${domain.name}`
    change.record({
      entity: 'vsr-rule',
      id,
      label: rule.name,
      before: null,
      after: (await recordedRow(tx, 'vsr_rule', site.id, id)) ?? null,
    })
    return receipt(context, id)
  },

  async update(context, { id, ...input }) {
    await existing(context.tx, context.domain.id, id)
    const rule = await settled(context, input)
    return edit(context, id, rule, `Change VSR rule "${rule.name}"`)
  },

  async enable(context, { id, enabled }) {
    const row = await existing(context.tx, context.domain.id, id)
    if (row.enabled === enabled) return { data: present(row), meta: { version: null } }
    const missing = enabled ? canUse([...context.actor.abilities], 'dns.vsr') : null
    if (missing) throw new Failure(missing)
    const { name, filter, cdnId, mimickedAddress, mimickedLocation } = present(row)
    const rule = { name, enabled, filter, cdnId, mimickedAddress, mimickedLocation }
    return edit(context, id, rule, `VSR rule "${name}" ${enabled ? 'on' : 'off'}`)
  },

  async effect(context, { rule: id, ...input }) {
    if (id !== null) await existing(context.tx, context.domain.id, id)
    const { mimickedLocation, ...rule } = await settled(context, { ...input, name: '' })
    return vsrEffect(context, id, { ...rule, mimickedLocation })
  },

  async remove({ tx, site, domain, change }, { id }) {
    const row = await existing(tx, domain.id, id)
    const before = (await recordedRow(tx, 'vsr_rule', site.id, id)) ?? null
    await deleteRule(tx, id)
    change.title = `Remove VSR rule "${row.name}"`
    change.record({ entity: 'vsr-rule', id, label: row.name, before, after: null })
    return { data: { id }, meta: { version: await change.version() } }
  },
})

async function edit(context: Context, id: string, rule: VsrSettings, title: string) {
  const { tx, site, change } = context
  const before = (await recordedRow(tx, 'vsr_rule', site.id, id)) ?? null
  await updateRule(tx, id, rule)
  change.title = title
  change.record({
    entity: 'vsr-rule',
    id,
    label: rule.name,
    before,
    after: (await recordedRow(tx, 'vsr_rule', site.id, id)) ?? null,
  })
  return receipt(context, id)
}

/** The rule with the place of its mimicked address, as the location data has it now. */
async function settled(
  { tx, domain, services }: Context,
  { name, enabled, filter, cdnId, mimickedAddress }: Omit<VsrSettings, 'mimickedLocation'>,
): Promise<VsrSettings> {
  if (cdnId !== null && !(await targetIds(tx, domain.id)).has(cdnId)) throw new Failure(810011)
  const mimickedLocation = services.geo.locate(mimickedAddress)
  if (mimickedLocation.country === null)
    throw new Failure(400, { fields: [{ path: 'mimickedAddress', message: 'validation.locatedAddress' }] })
  return { name, enabled, filter, cdnId, mimickedAddress, mimickedLocation }
}

async function receipt({ tx, domain, change }: Context, id: string) {
  return { data: present(await existing(tx, domain.id, id)), meta: { version: await change.version() } }
}

async function existing(tx: Context['tx'], domainId: string, id: string): Promise<VsrRow> {
  const row = await ruleById(tx, domainId, id)
  if (!row) throw new Failure(404)
  return row
}

function present(row: VsrRow): VsrRule {
  return {
    id: row.id,
    name: row.name,
    enabled: row.enabled,
    filter: row.filter,
    cdnId: row.cdn_id,
    mimickedAddress: row.mimicked_address,
    mimickedLocation: row.mimicked_location,
    createdAt: row.created_at.toISOString(),
  }
}
