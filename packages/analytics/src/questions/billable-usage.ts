import type { Meter } from '@fairway/contract'
import type { EventStore } from '../store/store.ts'

/** Both ends are epoch ms, `until` excluded. Raw logs are kept for 30 days. */
export type BillableUsageInput = {
  from: number
  until: number
  /** All organisations when left out. */ organizationId?: string
}
export type BillableUsage = {
  organizationId: string
  /** `YYYY-MM-DD`, UTC. */ day: string
  meter: Meter
  siteId: string
  domainId: string
  cdnId: string
  used: number
}

const RANGE = 'at >= fromUnixTimestamp64Milli({from:Int64}) AND at < fromUnixTimestamp64Milli({until:Int64})'

type Row = { organization: string; day: string; meter: Meter; site: string; domain: string; cdn: string; used: number }
const KEYS = 'organization, day, site, domain, cdn'
/** A view's requests for its media may lie on the other side of midnight. */
const AROUND_MS = 3_600_000
/** What identifies a view, in eight bytes: sets of views are as large as visitors make them. */
const VIEW_KEY = 'sipHash64(organization, source, view)'
const DAY_MS = 86_400_000
const ownOf = ({ organizationId }: BillableUsageInput): string =>
  organizationId === undefined ? `organization != ''` : 'organization = {organization:String}'

/** What the serving nodes' logs say was served, by day and where it arose: what they answered, and views of videos. */
export async function loggedUsage(store: EventStore, input: BillableUsageInput): Promise<BillableUsage[]> {
  return (await Promise.all([answeredUsage(store, input), viewedUsage(store, input)])).flat()
}

/** DNS answers, requests at the edge and the bytes sent for them. */
export async function answeredUsage(store: EventStore, input: BillableUsageInput): Promise<BillableUsage[]> {
  const where = `${RANGE} AND ${ownOf(input)}`
  return usageOf(
    store,
    input,
    `SELECT organization, toString(toDate(at, 'UTC')) AS day, if(country = 'CN', 'chinaDnsQuery', 'dnsQuery') AS meter, site, domain, cdn, sum(answers) AS used FROM dns_answers WHERE ${where} GROUP BY ${KEYS}, meter
     UNION ALL SELECT organization, toString(toDate(at, 'UTC')) AS day, 'cdnRequest' AS meter, site, domain, cdn, sum(weight) AS used FROM edge_requests WHERE ${where} GROUP BY ${KEYS}
     UNION ALL SELECT organization, toString(toDate(at, 'UTC')) AS day, 'cdnTraffic' AS meter, site, domain, cdn, sum(bytes) AS used FROM edge_requests WHERE ${where} GROUP BY ${KEYS}`,
  )
}

/**
 * Views of videos that came to a first picture and that the edge served. Players' words come from anybody, and so do
 * the views that requests name: of those, only what a player told of is kept, and of all organisations one day at a
 * time.
 */
export async function viewedUsage(store: EventStore, input: BillableUsageInput): Promise<BillableUsage[]> {
  const told = `${RANGE} AND ${ownOf(input)} AND event = 'first'`
  const rows: BillableUsage[] = []
  for (let { from } = input, until; from < input.until; from = until) {
    const endOfDay = (Math.floor(from / DAY_MS) + 1) * DAY_MS
    until = input.organizationId === undefined ? Math.min(input.until, endOfDay) : input.until
    const ofDay = await usageOf(
      store,
      { ...input, from, until },
      `SELECT organization, toString(toDate(at, 'UTC')) AS day, 'streamView' AS meter, concat('stream:', organization) AS site, source AS domain, '' AS cdn, uniqExact(view) AS used
       FROM player_events WHERE ${told} AND ${VIEW_KEY} IN (
         SELECT ${VIEW_KEY} FROM stream_segments
         WHERE at >= fromUnixTimestamp64Milli({servedFrom:Int64}) AND at < fromUnixTimestamp64Milli({servedUntil:Int64}) AND ${ownOf(input)}
           AND view != '' AND status >= 200 AND status < 400 AND (endsWith(path, '.m4s') OR endsWith(path, '.m3u8') OR endsWith(path, '.mpd'))
           AND ${VIEW_KEY} IN (SELECT ${VIEW_KEY} FROM player_events WHERE ${told}))
       GROUP BY ${KEYS}`,
    )
    rows.push(...ofDay)
  }
  return rows
}

/**
 * What the operator's vendors say that they served, in the same form. None of it is in the nodes' logs. What went
 * through a customer's own account was paid there.
 */
export async function vendorUsage(store: EventStore, input: BillableUsageInput): Promise<BillableUsage[]> {
  const where = `at >= fromUnixTimestamp(intDiv({from:Int64}, 1000)) AND at < fromUnixTimestamp(intDiv({until:Int64}, 1000)) AND ${ownOf(input)} AND billed = 1`
  const counted = (meter: Meter, column: string) =>
    `SELECT organization, toString(toDate(at, 'UTC')) AS day, '${meter}' AS meter, site, domain, cdn, sum(${column}) AS used FROM vendor_traffic_hour FINAL WHERE ${where} GROUP BY ${KEYS}`
  return usageOf(store, input, `${counted('cdnRequest', 'requests')} UNION ALL ${counted('cdnTraffic', 'bytes')}`)
}

async function usageOf(
  store: EventStore,
  { from, until, organizationId }: BillableUsageInput,
  sql: string,
): Promise<BillableUsage[]> {
  const rows = await store.query<Row>(sql, {
    from,
    until,
    servedFrom: from - AROUND_MS,
    servedUntil: until + AROUND_MS,
    organization: organizationId ?? '',
  })
  return rows.map((row) => ({
    organizationId: row.organization,
    day: row.day,
    meter: row.meter,
    siteId: row.site,
    domainId: row.domain,
    cdnId: row.cdn,
    used: row.used,
  }))
}
