import crypto from 'node:crypto'
import { crsRules, LIMITS, type CrsRule, type CrsSettings } from '@fairway/contract'
import { defaultActionOf, HINTS, SEVERITY_SCORES, type CatalogRule } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { Failure } from '../../http/failure.ts'
import { pageOf } from '../../http/page.ts'
import type { Context } from '../../http/context.ts'
import { slice } from '../../http/register.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import { installedRules } from './catalog.ts'
import { inspectionOf } from './inspection.ts'
import { crsOf, type DomainCrs, setCrs } from './store.ts'

const ORDER: Record<string, (a: CrsRule, b: CrsRule) => number> = {
  ruleId: (a, b) => a.ruleId - b.ruleId,
  set: (a, b) => a.set.localeCompare(b.set) || a.ruleId - b.ruleId,
  paranoiaLevel: (a, b) => a.paranoiaLevel - b.paranoiaLevel || a.ruleId - b.ruleId,
  action: (a, b) => a.action.localeCompare(b.action) || a.ruleId - b.ruleId,
}

export const crsRulesSlice = slice(crsRules, {
  async get({ tx, services, domain }) {
    const { settings, exclusions } = await crsOf(tx, domain.id)
    const { name, rules } = installedRules(services.config)
    return { ...settings, exclusions, inspection: await inspectionOf(tx, services.log, name, rules.length) }
  },

  async update(context, wanted) {
    const was = await crsOf(context.tx, context.domain.id)
    const settings: CrsSettings = { ...was.settings, ...said(wanted) }
    const version = await save(context, was, { ...was, settings }, `Change rule sets of ${context.domain.name}`)
    return { data: settings, meta: { version } }
  },

  async rules({ tx, services, domain }, query) {
    const order = orderOf(query.ordering)
    const crs = await crsOf(tx, domain.id)
    const search = (query.search ?? '').trim().toLowerCase()
    const found = installedRules(services.config)
      .rules.map((rule) => shown(rule, crs))
      .filter(
        (rule) =>
          (query.action === undefined || rule.action === query.action) &&
          (query.enabled === undefined || rule.enabled === (query.enabled === 'true')) &&
          (query.set === undefined || rule.set === query.set) &&
          (search === '' || String(rule.ruleId).startsWith(search) || rule.message.toLowerCase().includes(search)),
      )
      .sort(order)
    const { limit, offset, meta } = pageOf(query)
    return { data: found.slice(offset, limit === null ? undefined : offset + limit), meta: meta(found.length) }
  },

  async apply(context, { ruleIds, enabled, action }) {
    const { tx, services, domain } = context
    const known = new Set(installedRules(services.config).rules.map(({ ruleId }) => ruleId))
    const unknown = ruleIds.findIndex((ruleId) => !known.has(ruleId))
    if (unknown >= 0)
      throw new Failure(400, { fields: [{ path: `ruleIds.${unknown}`, message: 'validation.unknownRule' }] })
    const was = await crsOf(tx, domain.id)
    const rules = { ...was.rules }
    for (const ruleId of ruleIds) {
      const before = rules[ruleId] ?? { enabled: true, action: defaultActionOf(ruleId) }
      const now = { enabled: enabled ?? before.enabled, action: action ?? before.action }
      // What a rule does by itself is not kept: it may do something else by itself tomorrow.
      if (now.enabled && now.action === defaultActionOf(ruleId)) delete rules[ruleId]
      else rules[ruleId] = now
    }
    const count = new Set(ruleIds).size
    const version = await save(
      context,
      was,
      { ...was, rules },
      `Change ${count} rules of the rule set on ${domain.name}`,
    )
    return { data: { count }, meta: { version } }
  },

  async exclude(context, wanted) {
    const was = await crsOf(context.tx, context.domain.id)
    if (was.exclusions.length >= LIMITS.crs.exclusions) throw new Failure(26904)
    const { ruleId, path, parameter, note } = wanted
    const exclusion = { id: crypto.randomUUID(), ruleId, path, parameter, note }
    const exclusions = [...was.exclusions, exclusion]
    const title = `Exclude from the rule set on ${context.domain.name}`
    return { data: exclusion, meta: { version: await save(context, was, { ...was, exclusions }, title) } }
  },

  async include(context, { id }) {
    const was = await crsOf(context.tx, context.domain.id)
    const exclusions = was.exclusions.filter((one) => one.id !== id)
    if (exclusions.length === was.exclusions.length) throw new Failure(404)
    const title = `End an exclusion from the rule set on ${context.domain.name}`
    return { data: { id }, meta: { version: await save(context, was, { ...was, exclusions }, title) } }
  },
})

/** Stores and records it as one change; null when nothing is another than before. */
async function save(context: Context, was: DomainCrs, is: DomainCrs, title: string): Promise<number | null> {
  if (JSON.stringify(was) === JSON.stringify(is)) return null
  const { tx, actor, site, domain, change } = context
  const row = (of: Tx) => recordedRow(of, 'crs_rules', site.id, domain.id)
  const before = (await row(tx)) ?? null
  await setCrs(tx, { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id }, is)
  change.title = title
  change.record({ entity: 'crs-rules', id: domain.id, label: domain.name, before, after: (await row(tx)) ?? null })
  return change.version()
}

/** Without what was left out. */
const said = (wanted: Partial<CrsSettings>): Partial<CrsSettings> => {
  const { enabled, mode, full, sets, paranoiaLevel, threshold, bodyLimitKb, longBodies, onFailure } = wanted
  return Object.fromEntries(
    Object.entries({ enabled, mode, full, sets, paranoiaLevel, threshold, bodyLimitKb, longBodies, onFailure }).filter(
      ([, value]) => value !== undefined,
    ),
  )
}

function shown(rule: CatalogRule, { settings, rules }: DomainCrs): CrsRule {
  const { enabled, action } = rules[rule.ruleId] ?? { enabled: true, action: defaultActionOf(rule.ruleId) }
  const set = rule.set === '' ? ('protocol' as const) : rule.set
  return {
    ...rule,
    set,
    enabled,
    action,
    defaultAction: defaultActionOf(rule.ruleId),
    score: HINTS[rule.ruleId] ?? SEVERITY_SCORES[rule.severity],
    isHint: rule.ruleId in HINTS,
    isAsked:
      settings.enabled && rule.paranoiaLevel <= settings.paranoiaLevel && (settings.full || isChosen(set, settings)),
  }
}

function isChosen(set: CrsRule['set'], { sets }: CrsSettings): boolean {
  if (set === 'xss') return sets.xss
  if (set === 'sql-injection') return sets.sqlInjection
  return set === 'generic-injection' && sets.genericInjection
}

function orderOf(ordering: string): (a: CrsRule, b: CrsRule) => number {
  const name = ordering.replace(/^-/, '')
  const order = Object.hasOwn(ORDER, name) ? ORDER[name] : undefined
  if (!order) throw new Failure(400, { fields: [{ path: 'ordering', message: 'validation.ordering' }] })
  return ordering.startsWith('-') ? (a, b) => order(b, a) : order
}
