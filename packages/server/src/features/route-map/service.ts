import { routeMap } from '@fairway/contract'
import { locationKeys, sameShares } from '@fairway/domain'
import { slice } from '../../http/register.ts'
import { strategyOrder } from '../routing-strategies/store.ts'
import { putOverrides } from './overrides.ts'
import { routesOf } from './store.ts'

export const routeMapSlice = slice(routeMap, {
  async report({ tx, domain, services }, { since, address }) {
    const rows = await routesOf(tx, domain.id)
    const names = new Map((await strategyOrder(tx, domain.id)).map(({ id, name }) => [id, name]))
    const then =
      since === undefined
        ? null
        : new Map((await routesOf(tx, domain.id, new Date(since * 1000))).map((row) => [row.place, row.shares]))
    const known = new Set(rows.map(({ place }) => place))
    const newest = rows.reduce<Date | null>((latest, { at }) => (latest === null || at > latest ? at : latest), null)
    return {
      changedAt: newest?.toISOString() ?? null,
      rows: rows.map(({ place, at, shares, strategy_id, cause }) => {
        const was = then?.get(place) ?? []
        return {
          place,
          shares,
          strategyId: strategy_id,
          strategy: strategy_id === null ? null : (names.get(strategy_id) ?? null),
          since: at.toISOString(),
          cause,
          before: then === null || sameShares(was, shares) ? null : was,
        }
      }),
      matches:
        address === undefined ? [] : locationKeys(services.geo.locate(address)).scores.filter((key) => known.has(key)),
    }
  },

  async putOverrides(context, { csv }) {
    const { domain, change } = context
    const data = await putOverrides(context, csv)
    change.title = `Route overrides of ${domain.name}`
    return { data, meta: { version: change.changes.length > 0 ? await change.version() : null } }
  },
})
