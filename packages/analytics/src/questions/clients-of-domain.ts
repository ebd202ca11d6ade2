import type { EventStore } from '../store/store.ts'

export type ClientsOfDomainInput = {
  organizationId: string
  siteId: string
  domainId: string
  /** The window, back from now. */ seconds: number
  /** Epoch ms. */ now: number
  /** So many networks, those with most requests first. */ most: number
}

/** Networks (/24 or /48, by their first address) that have asked for a domain at the edge. */
export async function clientsOfDomain(
  store: EventStore,
  input: ClientsOfDomainInput,
): Promise<{ client: string; country: string; requests: number }[]> {
  return store.query(
    `SELECT client, any(country) AS country, toUInt32(count()) AS requests FROM edge_requests
     WHERE organization = {organization:String} AND site = {site:String} AND domain = {domain:String} AND client != '' AND at >= fromUnixTimestamp({from:Int64})
     GROUP BY client ORDER BY requests DESC, client LIMIT {limit:UInt32}`,
    {
      organization: input.organizationId,
      site: input.siteId,
      domain: input.domainId,
      from: Math.floor(input.now / 1000) - input.seconds,
      limit: input.most,
    },
  )
}
