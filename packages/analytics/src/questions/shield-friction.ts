import type { EventStore } from '../store/store.ts'
import { IS_CHALLENGED } from './shield-source.ts'

/** How one challenge went. Visitors are told apart by their networks: who reloads is one, and so is a lone attacker. */
export type ChallengeOutcome = {
  organization: string
  site: string
  domain: string
  /** `level`, or the id of a firewall rule. */ rule: string
  /** Networks that saw the challenge and are through with it. */ people: number
  /** Of them those that did not solve it. */ gaveUp: number
  /**
   * Challenges that were sent, to programs too, in all and in the last five minutes; where a rule only tells, those that
   * would have been.
   */ challenged: number
  lately: number
}

/** As long as a challenge can be solved: who has not by then has given up. */
const SOLVE_MS = 600_000
const LATELY_MS = 300_000
const DAY_MS = 86_400_000
/** The /24 of IPv4 and the /48 of IPv6, which stand mapped in one kind of address. */
const networkOf = (address: 'address' | 'client') =>
  `tupleElement(IPv6CIDRToRange(toIPv6OrDefault(${address}), if(isIPv4String(${address}), 120, 48)), 1)`

const IS_SENT = `(action = 'simulate' OR ${IS_CHALLENGED})`

/** How challenges went since a moment, by domain and rule; times are epoch ms. */
export async function challengeOutcomes(
  store: EventStore,
  input: { from: number; now: number; organizationId?: string; domainId?: string },
): Promise<ChallengeOutcome[]> {
  const { from, now, organizationId, domainId } = input
  const scope = [
    ...(organizationId === undefined ? [] : ['organization = {organization:String}']),
    ...(domainId === undefined ? [] : ['domain = {domain:String}']),
  ]
  return store.query<ChallengeOutcome>(
    `SELECT organization, site, domain, rule, countIf(solved_n > 0 OR (seen_n > 0 AND seen_last <= {settled:Int64})) AS people,
       countIf(solved_n = 0 AND seen_n > 0 AND seen_last <= {settled:Int64}) AS gaveUp, sum(challenged_n) AS challenged, sum(lately_n) AS lately
     FROM (SELECT organization, site, domain, rule, ${networkOf('address')} AS network_of, countIf(reason = 'solved') AS solved_n, countIf(reason = 'begun') AS seen_n,
       maxIf(toUnixTimestamp64Milli(at), reason = 'begun') AS seen_last, sumIf(weight, ${IS_SENT}) AS challenged_n,
       sumIf(weight, ${IS_SENT} AND toUnixTimestamp64Milli(at) > {late:Int64}) AS lately_n
       FROM security_events WHERE at >= fromUnixTimestamp64Milli({from:Int64}) AND action IN ('challenge', 'simulate') AND part IN ('bot-management', 'firewall-rules') ${scope.map((one) => `AND ${one}`).join(' ')}
       GROUP BY organization, site, domain, rule, network_of)
     GROUP BY organization, site, domain, rule`,
    {
      from,
      settled: now - SOLVE_MS,
      late: now - LATELY_MS,
      organization: organizationId ?? '',
      domain: domainId ?? '',
    },
  )
}

/**
 * How many of the networks that gave a challenge up since a moment had been answered by the domain in the day before it:
 * addresses that come for the challenge alone are no people that go away. Times are epoch ms.
 */
export async function knownThatGaveUp(
  store: EventStore,
  input: { from: number; now: number; organizationId: string; domainId: string; rule: string },
): Promise<number> {
  const { from, now, organizationId, domainId, rule } = input
  const ofDomain = 'organization = {organization:String} AND domain = {domain:String}'
  const [row] = await store.query<{ known: number }>(
    `SELECT count() AS known
     FROM (SELECT ${networkOf('address')} AS network_of FROM security_events
       WHERE ${ofDomain} AND rule = {rule:String} AND at >= fromUnixTimestamp64Milli({from:Int64}) AND action IN ('challenge', 'simulate') AND part IN ('bot-management', 'firewall-rules')
       GROUP BY network_of HAVING countIf(reason = 'solved') = 0 AND countIf(reason = 'begun') > 0 AND maxIf(toUnixTimestamp64Milli(at), reason = 'begun') <= {settled:Int64})
     WHERE network_of IN (SELECT ${networkOf('client')} FROM edge_requests
       WHERE ${ofDomain} AND at >= fromUnixTimestamp64Milli({dayBefore:Int64}) AND at < fromUnixTimestamp64Milli({from:Int64}) AND client != '' AND status < 400)`,
    { from, dayBefore: from - DAY_MS, settled: now - SOLVE_MS, organization: organizationId, domain: domainId, rule },
  )
  return row?.known ?? 0
}
