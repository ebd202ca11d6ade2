import {
  accessControl,
  apiSchema,
  account,
  auth,
  botManagement,
  cdnManagement,
  crsRules,
  dnsRecords,
  domains,
  failedLogin,
  firewallRules,
  powerUps,
  routingStrategies,
  sites,
  vsrRules,
  type Domain,
} from '@fairway/contract'
import { type Config, Problem, secret, setupCode } from '@fairway/platform'
import type { Api } from '../api-client.ts'
import {
  type DomainPlan,
  EMAIL,
  type GuardPlan,
  OFFER,
  ORGANIZATION,
  SITE,
  type WorldPlan,
  worldPlan,
} from './world-plan.ts'

const ALL = { page_size: -1, ordering: 'created_at' } as const

/** The demo owner's password: random, the same for the life of the home. */
export function demoPassword(config: Config): string {
  return `Aurora-${secret(config, 'demo-password', 9)}-7`
}

/**
 * Makes the demo's organisation and site through the API, so that every step is a version with an author. What is there
 * already is left as it is.
 */
export async function seedWorld(api: Api, config: Config): Promise<{ siteId: string; domains: Domain[] }> {
  if ((await api(auth.routes.firstRun, {})).needed) {
    await api(auth.routes.register, {
      email: EMAIL,
      password: demoPassword(config),
      firstName: 'Robin',
      lastName: 'Aurora',
      organizationName: ORGANIZATION,
      setupCode: setupCode(config),
    })
    await api(account.routes.setSettings, { showTutorial: false })
  }
  const { email } = await api(account.routes.info, {})
  if (email !== EMAIL)
    throw new Problem(
      `${config.home} holds an installation of its own (${email}). Start it with ./fairway up, or set FAIRWAY_HOME to another folder for the demo.`,
    )
  await seedOffer(api)
  return seedSite(api, config, worldPlan(SITE))
}

/** Makes one site of the demo in the organisation that `api` speaks for. */
export async function seedSite(
  api: Api,
  config: Config,
  plan: WorldPlan,
): Promise<{ siteId: string; domains: Domain[] }> {
  const siteId =
    (await api(sites.routes.list, ALL)).data.find((site) => site.domainName === plan.site)?.id ??
    (await api(sites.routes.create, { domainName: plan.site })).data.id
  await seedRecords(api, siteId, plan)
  for (const domain of plan.domains) await seedDomain(api, config, siteId, domain, plan)
  return { siteId, domains: (await api(domains.routes.list, { site: siteId, ...ALL })).data }
}

/** A CDN that people review, so that the queue can be tried out: the demo's owner runs the installation too. */
async function seedOffer(api: Api): Promise<void> {
  if ((await api(powerUps.routes.offers, {})).data.some(({ id }) => id === OFFER.id)) return
  await api(powerUps.routes.setOffer, { offer: OFFER.id, ...OFFER.data })
}

async function seedRecords(api: Api, site: string, { records }: WorldPlan): Promise<void> {
  const there = (await api(dnsRecords.routes.list, { site, ...ALL })).data
  for (const wanted of records) {
    if (!there.some(({ type, name, value }) => type === wanted.type && name === wanted.name && value === wanted.value))
      await api(dnsRecords.routes.create, { site, ...wanted })
  }
}

async function seedDomain(api: Api, config: Config, site: string, plan: DomainPlan, world: WorldPlan): Promise<void> {
  const { id: domain, created } = await steer(api, site, plan.name, world.site)
  if (created) {
    const origin = {
      address: config.originListen.host,
      port: config.originListen.port,
      protocol: 'http',
      hostHeader: plan.name,
    } as const
    await api(domains.routes.update, { site, domain, origin, cacheTtlSeconds: 300 })
  }
  const attached = (await api(cdnManagement.routes.list, { site, domain, ...ALL })).data
  for (const cdnId of plan.cdns)
    if (!attached.some((cdn) => cdn.cdnId === cdnId)) await api(cdnManagement.routes.install, { site, domain, cdnId })
  const strategies = (await api(routingStrategies.routes.list, { site, domain, ...ALL })).data
  for (const strategy of plan.strategies)
    if (!strategies.some(({ name }) => name === strategy.name))
      await api(routingStrategies.routes.create, { site, domain, ...strategy })
  const rules = (await api(vsrRules.routes.list, { site, domain, ...ALL })).data
  for (const rule of plan.vsrRules ?? [])
    if (!rules.some(({ name }) => name === rule.name)) await api(vsrRules.routes.create, { site, domain, ...rule })
  if (plan.guard) await seedGuard(api, { site, domain }, plan.guard)
}

/** The shield is used last: a start that was cut off before that begins anew with the rules. */
async function seedGuard(api: Api, place: { site: string; domain: string }, guard: GuardPlan): Promise<void> {
  if ((await api(domains.routes.get, place)).settings.originShield === 'use') return
  await api(accessControl.routes.createMany, { ...place, entries: [...guard.access] })
  const rules = (await api(firewallRules.routes.list, { ...place, page_size: -1 })).data
  for (const rule of guard.firewall)
    if (!rules.some(({ name }) => name === rule.name)) await api(firewallRules.routes.create, { ...place, ...rule })
  const logins = (await api(failedLogin.routes.list, { ...place, page_size: -1 })).data
  for (const rule of guard.logins)
    if (!logins.some(({ name }) => name === rule.name)) await api(failedLogin.routes.create, { ...place, ...rule })
  await api(crsRules.routes.update, { ...place, ...guard.ruleSets })
  await api(botManagement.routes.update, { ...place, ...guard.bots })
  await api(apiSchema.routes.update, { ...place, learning: true })
  await api(domains.routes.update, { ...place, settings: { originShield: 'use' } })
}

/** Switches multi-CDN on for a name's record, which makes the name a domain. */
async function steer(api: Api, site: string, name: string, zone: string): Promise<{ id: string; created: boolean }> {
  const known = (await api(domains.routes.list, { site, ...ALL })).data.find((domain) => domain.name === name)
  if (known) return { id: known.id, created: known.cdnIds.length === 0 }
  const label = name === zone ? '@' : name.slice(0, -zone.length - 1)
  const record = (await api(dnsRecords.routes.list, { site, ...ALL })).data.find(
    (row) => row.name === label && (row.type === 'A' || row.type === 'CNAME'),
  )
  if (!record) throw new Error(`the site has no record ${label} to steer`)
  const { domainId } = (await api(dnsRecords.routes.update, { site, id: record.id, multiCdn: true })).data
  if (domainId === null) throw new Error(`steering ${name} made no domain`)
  return { id: domainId, created: true }
}
