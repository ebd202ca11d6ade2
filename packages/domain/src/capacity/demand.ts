/** What an installation is to bear. Rates are averages of the busiest hour, over all nodes. */
export type Demand = {
  organizations: number
  zones: number
  recordsPerZone: number
  /** Names that the edge or a CDN serves. */
  domains: number
  dnsNodes: number
  edgeNodes: number
  queriesPerSecond: number
  requestsPerSecond: number
  /** Of the requests, 0 to 1: answered from the edge's cache. */
  hitShare: number
  bytesPerAnswer: number
  beaconsPerSecond: number
  /** Days for which single measurements and requests are kept. */
  keptDays: number
  changesPerSecond: number
  /** Calls of the API by screens and programs. */
  callsPerSecond: number
}

/** A domain and ten records to each zone, a change of each zone every ten days, and a call a minute of each twentieth organisation. */
export const USUAL = {
  recordsPerZone: 10,
  requestsPerSecond: 0,
  hitShare: 0.9,
  bytesPerAnswer: 30_000,
  keptDays: 30,
} as const

const CHANGE_OF_A_ZONE_SECONDS = 10 * 86_400
const CALL_OF_AN_ORGANIZATION_SECONDS = 20 * 60

/** What was not said is worked out from what was. */
export function demandOf(said: Partial<Demand> & Pick<Demand, 'zones'>): Demand {
  const organizations = said.organizations ?? Math.ceil(said.zones / 100)
  return {
    ...USUAL,
    organizations,
    domains: said.zones,
    dnsNodes: 2,
    edgeNodes: 2,
    queriesPerSecond: 0,
    beaconsPerSecond: 0,
    changesPerSecond: said.zones / CHANGE_OF_A_ZONE_SECONDS,
    callsPerSecond: organizations / CALL_OF_AN_ORGANIZATION_SECONDS,
    ...said,
  }
}
