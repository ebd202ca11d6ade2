import { type InstalledPowerUp, type PowerUp, PowerUpCategory, UsageType, powerUps } from '@fairway/contract'
import { monthOf, powerUpStatus, statesOfStatus } from '@fairway/domain'
import { CDN_DRIVERS } from '@fairway/drivers'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { accountOf, numberQuotas } from '../billing/account-store.ts'
import { installedAddOns } from '../billing/addon-store.ts'
import { allowancesOf } from '../billing/fees.ts'
import { addOnsFor } from '../plans/service.ts'
import { presentCdn, presentOffer, presentService, sameText, vendorsWithoutKey } from './catalogue.ts'
import { allOffers, presentStoredOffer, saveOffer } from './offers.ts'
import { decideReview, listReviews, presentReview, reviewById } from './reviews.ts'
import { type PlacedRow, cdnsOf, openOffers, placedCdns } from './store.ts'

const INSTALLED_ORDER = { created_at: 'dc.created_at', name: 'c.name', domain: 'd.name', status: 'dc.state' }
const REVIEW_ORDER = { requested_at: 'r.requested_at', domain: 'd.name', cdn: 'c.name', organization: 'o.name' }

export const powerUpsSlice = slice(powerUps, {
  async catalogue(context, { category, search }) {
    const { currency, all } = await everything(context)
    const words = (search ?? '').trim().toLowerCase()
    const found =
      words === ''
        ? all
        : all.filter(({ name, introduction }) =>
            [...Object.values(name), ...Object.values(introduction ?? {})].some((text) =>
              text.toLowerCase().includes(words),
            ),
          )
    const categories = PowerUpCategory.options
      .map((one) => ({ category: one, count: found.filter((powerUp) => powerUp.category === one).length }))
      .filter(({ count }) => count > 0)
    return {
      currency,
      categories,
      data: category === undefined ? found : found.filter((powerUp) => powerUp.category === category),
    }
  },

  async get(context, { powerUp: id }) {
    const { tx, actor } = context
    const { currency, all, cdns, account, addOns } = await everything(context)
    const powerUp = all.find((one) => one.id === id)
    if (!powerUp) throw new Failure(404)
    const placed =
      powerUp.kind === 'cdn'
        ? await placedCdns(tx, { cdnId: id, states: null, search: null, order: 'd.name', limit: 200, offset: 0 })
        : []
    const cdn = cdns.find((one) => one.id === id)
    const showsRates = powerUp.type === 'managed' && powerUp.kind === 'cdn' && !actor.hiddenFeatures.has('price')
    return {
      ...powerUp,
      currency,
      installed: powerUp.kind === 'add-on' ? presentAddOns([powerUp]) : placed.map(presentPlaced),
      capabilities: cdn ? CDN_DRIVERS[cdn.driver].capabilities(cdn.slug) : null,
      allowances: addOns.find((one) => one.id === id)?.allowances ?? null,
      rates: showsRates
        ? (['cdnTraffic', 'cdnRequest'] as const).map((meter) => ({
            meter,
            included: account.allowances[meter] ?? null,
            rate: account.prices[currency]?.rates[meter] ?? null,
          }))
        : null,
    }
  },

  async installed(context, { kind, status, ...query }) {
    const { limit, offset, meta } = pageOf(query)
    if (kind === 'cdn') {
      const rows = await placedCdns(context.tx, {
        cdnId: null,
        states: status ? statesOfStatus(status) : null,
        search: query.search ?? null,
        order: orderBy(query.ordering, INSTALLED_ORDER),
        limit,
        offset,
      })
      return { data: rows.map(presentPlaced), meta: meta(rows[0]?.total ?? 0) }
    }
    const words = (query.search ?? '').toLowerCase()
    const { all } = await everything(context)
    const rows = presentAddOns(all).filter(
      (row) =>
        (status === undefined || row.status === status) &&
        Object.values(row.name).some((text) => text.toLowerCase().includes(words)),
    )
    return { data: rows.slice(offset, limit === null ? undefined : offset + limit), meta: meta(rows.length) }
  },

  async packageOf({ tx, actor, now }, { type }) {
    const parsed = UsageType.safeParse(type)
    if (!parsed.success) throw new Failure(7499)
    const account = await accountOf(tx, actor.organizationId)
    const plan = { id: account.plan_id, name: account.plan_name }
    const common = { plan, type: parsed.data, currency: account.currency }
    if (parsed.data === 'mcdn' || parsed.data === 'dns') {
      const included = numberQuotas(account)[parsed.data] ?? null
      return { ...common, included, addOns: [], total: included, rate: null }
    }
    const meter = parsed.data
    const total = (await allowancesOf(tx, account, monthOf(now.getTime())))[meter] ?? null
    const addOns = (await installedAddOns(tx, actor.organizationId)).flatMap(({ id, name, allowances }) =>
      allowances[meter] ? [{ id, name, amount: allowances[meter] }] : [],
    )
    return {
      ...common,
      included: account.allowances[meter] ?? null,
      addOns,
      total,
      rate: account.prices[account.currency]?.rates[meter] ?? null,
    }
  },

  async offers({ tx }) {
    return { data: (await allOffers(tx)).map(presentStoredOffer) }
  },

  async setOffer({ tx, change }, { offer: id, ...input }) {
    if (!/^[a-z][a-z0-9-]{1,38}$/.test(id))
      throw new Failure(400, { fields: [{ path: 'offer', message: 'validation.regex' }] })
    const stored = async () => (await allOffers(tx)).filter((one) => one.id === id).map(presentStoredOffer)[0]
    const before = (await stored()) ?? null
    await saveOffer(tx, id, input)
    const after = await stored()
    if (!after) throw new Error('an offer that was saved has no row')
    change.record({ entity: 'cdn-offer', id, label: after.name, before, after })
    return after
  },

  async removeOffer({ tx, change }, { offer: id }) {
    const row = (await allOffers(tx)).find((one) => one.id === id)
    if (!row) throw new Failure(404)
    if (row.taken > 0) throw new Failure(7409, { internal: 'organisations have it' })
    await tx.query('DELETE FROM cdn_offer WHERE id = $1', [id])
    change.record({ entity: 'cdn-offer', id, label: row.name, before: presentStoredOffer(row), after: null })
    return {}
  },

  async reviews({ tx }, query) {
    const { limit, offset, meta } = pageOf(query)
    const rows = await listReviews(tx, {
      state: query.state ?? null,
      search: query.search ?? null,
      order: orderBy(query.ordering, REVIEW_ORDER),
      limit,
      offset,
    })
    return { data: rows.map(presentReview), meta: meta(rows[0]?.total ?? 0) }
  },

  async decide({ tx, actor, change, now }, { review: id, decision, reason }) {
    const row = await reviewById(tx, id)
    if (row.state === 'approved') throw new Failure(7409, { internal: 'it is approved' })
    if (decision === 'refuse' && reason === '')
      throw new Failure(400, { fields: [{ path: 'reason', message: 'validation.required' }] })
    await decideReview(tx, actor, row, { approved: decision === 'approve', reason, now })
    const after = presentReview(await reviewById(tx, id))
    change.concerns = row.organization_id
    change.record({
      entity: 'cdn-review',
      id,
      label: `${row.cdn} on ${row.domain}`,
      before: { state: row.state },
      after: { state: after.state, reason: after.reason },
    })
    return after
  },
})

async function everything({ tx, actor }: Context) {
  const account = await accountOf(tx, actor.organizationId)
  const cdns = await cdnsOf(tx)
  const addOns = await addOnsFor(tx, account)
  const all: PowerUp[] = [
    ...cdns.map((row) => presentCdn(row, account.plan_id)),
    ...(await openOffers(tx)).map((row) => presentOffer(row, account.plan_id)),
    ...vendorsWithoutKey(cdns),
    ...addOns.map(presentService),
  ]
  return { currency: account.currency, account, cdns, addOns, all }
}

function presentPlaced(row: PlacedRow): InstalledPowerUp {
  return {
    id: row.id,
    powerUpId: row.cdn_id,
    name: sameText(row.cdn_name),
    category: row.category,
    series: row.series,
    status: powerUpStatus(row.state),
    detail: row.state === 'operational' ? null : row.detail,
    site: { id: row.site_id, name: row.site_name },
    domain: { id: row.domain_id, name: row.domain_name },
    enabled: row.enabled,
    monthlyMinor: null,
    statusSince: row.state_since.toISOString(),
    createdAt: row.created_at.toISOString(),
  }
}

const presentAddOns = (all: readonly PowerUp[]): InstalledPowerUp[] =>
  all.flatMap((one) =>
    one.kind !== 'add-on' || one.since === null
      ? []
      : [
          {
            id: one.id,
            powerUpId: one.id,
            name: one.name,
            category: one.category,
            series: null,
            status: 'installed',
            detail: null,
            site: null,
            domain: null,
            enabled: true,
            monthlyMinor: one.monthlyMinor,
            statusSince: one.since,
            createdAt: one.since,
          },
        ],
  )
