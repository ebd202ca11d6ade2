import { cdnManagement, dnsRecords, sites } from '@fairway/contract'
import type { ApiUnderTest, Client } from './api-under-test.ts'
import { until } from './until.ts'

let made = 0

export type SteeredDomain = { client: Client; site: string; domain: string; host: string; record: string }

/** A new organisation with one site and one name that multi-CDN steers. */
export async function newSteeredDomain(api: ApiUnderTest, options: { planId?: string } = {}): Promise<SteeredDomain> {
  const client = await api.newClient(options)
  const name = `steered${++made}.example`
  const site = (await client.call(sites.routes.create, { domainName: name })).data.id
  const record = (
    await client.call(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '8.8.8.8', multiCdn: true })
  ).data
  return { client, site, domain: record.domainId ?? '', host: `www.${name}`, record: record.id }
}

/** Attaches CDNs and waits until all of them serve; a DNS and an edge node have to be there. */
export async function attach({ client, site, domain }: SteeredDomain, cdnIds: string[]): Promise<Map<string, string>> {
  for (const cdnId of cdnIds) await client.call(cdnManagement.routes.install, { site, domain, cdnId })
  return until(async () => {
    const { data } = await client.call(cdnManagement.routes.list, { site, domain })
    return data.every((cdn) => cdn.state === 'operational') && new Map(data.map((cdn) => [cdn.cdnId, cdn.id]))
  })
}
