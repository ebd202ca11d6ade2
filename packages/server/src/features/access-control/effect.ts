import { clientsOfDomain } from '@fairway/analytics'
import type { AccessEffect, SecurityPolicy } from '@fairway/contract'
import { accessJudge, networkJudges } from '@fairway/domain'
import { askStore } from '../../http/ask-store.ts'
import type { Context } from '../../http/context.ts'
import { policyEntries } from '../web-security/policy.ts'
import { accessEntries } from './store.ts'

const DAY_SECONDS = 86_400
/** Networks that are looked at, those with most requests first. */
const NETWORKS_MOST = 50_000
const COUNTRIES_MOST = 5

/** Whom the lists would keep out with a change, among the requests of the last day and the one who asks. */
export async function effectOf(
  { tx, actor, site, domain, services, now }: Context,
  added: SecurityPolicy['access'],
  removed: ReadonlySet<string>,
): Promise<AccessEffect> {
  const saved = policyEntries(await accessEntries(tx, domain.id))
  const changed = [...saved.filter(({ id }) => !removed.has(id)), ...added]
  const clients = await askStore(
    clientsOfDomain(services.events, {
      organizationId: actor.organizationId,
      siteId: site.id,
      domainId: domain.id,
      seconds: DAY_SECONDS,
      now: now.getTime(),
      most: NETWORKS_MOST,
    }),
  )
  const seconds = Math.floor(now.getTime() / 1000)
  const [was, is] = [networkJudges(saved, seconds), networkJudges(changed, seconds)]
  const effect = { requests: 0, before: { least: 0, most: 0 }, after: { least: 0, most: 0 } }
  const countries = new Map<string, number>()
  for (const { client, country, requests } of clients) {
    const location = services.geo.locate(client)
    effect.requests += requests
    for (const bound of ['least', 'most'] as const) {
      if (was[bound](client, location)) effect.before[bound] += requests
      if (is[bound](client, location)) effect.after[bound] += requests
    }
    if (is.most(client, location) && !was.least(client, location))
      countries.set(country, (countries.get(country) ?? 0) + requests)
  }
  const here = services.geo.locate(actor.ip)
  return {
    ...effect,
    countries: [...countries]
      .map(([country, requests]) => ({ country, requests }))
      .toSorted((a, b) => b.requests - a.requests || a.country.localeCompare(b.country))
      .slice(0, COUNTRIES_MOST),
    you: {
      address: actor.ip,
      before: accessJudge(saved, seconds)(actor.ip, here),
      after: accessJudge(changed, seconds)(actor.ip, here),
    },
  }
}
