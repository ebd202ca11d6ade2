import type { EventStore } from '../store/store.ts'

export type SampledClientsInput = {
  organizationId: string
  siteId: string
  domainId: string
  /** The window, back from now. */ seconds: number
  /** Epoch ms. */ now: number
  /** So many clients, those with most questions first. */ most: number
}
export type SampledClients = {
  /** All sampled questions of the window, of clients that are not listed too. */
  samples: number
  /** `client` is a prefix such as `133.11.0.0/24`. */
  clients: { client: string; samples: number }[]
}

/** Who asked for a steered name, by the questions that were drawn by lot. */
export async function sampledClients(store: EventStore, input: SampledClientsInput): Promise<SampledClients> {
  const rows = await store.query<{ client: string; n: number; everyone: 0 | 1 }>(
    `SELECT client, count() AS n, grouping(client) AS everyone FROM dns_samples
     WHERE organization = {organization:String} AND site = {site:String} AND domain = {domain:String} AND cdn != '' AND at >= fromUnixTimestamp({from:Int64})
     GROUP BY GROUPING SETS ((client), ()) ORDER BY everyone DESC, n DESC, client LIMIT {limit:UInt32}`,
    {
      organization: input.organizationId,
      site: input.siteId,
      domain: input.domainId,
      from: Math.floor(input.now / 1000) - input.seconds,
      limit: input.most + 1,
    },
  )
  return {
    samples: rows.find(({ everyone }) => everyone)?.n ?? 0,
    clients: rows.filter(({ everyone }) => !everyone).map(({ client, n }) => ({ client, samples: n })),
  }
}
