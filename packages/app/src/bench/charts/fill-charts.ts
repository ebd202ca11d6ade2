import { type EventStore, runStep } from '@fairway/analytics'

export const CDNS = ['swiftlane', 'polaris', 'tidewater', 'cdn-four', 'cdn-five', 'cdn-six'] as const
/** As many as send visitors to a site that is known everywhere; codes are made up. The first has the most. */
export const COUNTRIES: readonly string[] = Array.from({ length: 180 }, (_, index) =>
  String.fromCharCode(65 + Math.floor(index / 14), 65 + (index % 14)),
)
export const DAY_SECONDS = 86_400
export const DAYS = 30
/** Minute rows are kept eight days; the bench drops what would have been dropped by then. */
const MINUTE_DAYS = 8

type Filled = {
  organizationId: string
  siteId: string
  domainId: string
  /** Over all days together. */
  beacons: number
  /** Epoch seconds of the end, a whole day. */
  until: number
}

/** So many beacons for one probe result and for one row of answers, about what the demo world sends. */
const PER_PROBE = 10
export const PER_ANSWER = 10

/**
 * One beacon as the store's language and as ours: a pure function of its number, so that what charts say can be worked
 * out apart. Countries are as uneven as visitors are, and each CDN has a speed of its own.
 */
const HASH = `bitAnd(intHash32(toUInt32(number + {offset:UInt64})), 1048575)`
const PLACE = `toUInt32(pow(${HASH} / 1048576., 2) * ${COUNTRIES.length})`
const CDN = `toUInt8((number + {offset:UInt64}) % ${CDNS.length})`
const OK = `if((number + {offset:UInt64}) % 50 = 7, 0, 1)`
const RTT = `toFloat32(15 + ${CDN} * 10 + ((number + {offset:UInt64}) * 7919 % 1000) / 10.)`

const names = (list: readonly string[]): string => `[${list.map((one) => `'${one}'`).join(', ')}]`
const nameAt = (list: readonly string[], index: string): string => `arrayElement(${names(list)}, ${index} + 1)`
const AT = `fromUnixTimestamp64Milli(toInt64({from:Int64} * 1000 + intDiv(number * {seconds:UInt64} * 1000, {rows:UInt64})))`

/** Rows as old as a month, and minutes older than eight days, are thrown away by the store as soon as it finds time. */
const EXPIRING = ['beacons', 'probes', 'dns_answers', 'measures_minute', 'dns_answers_minute'] as const
/** Of more the rows of a day are made and rolled up by themselves, so that no statement is longer than the store waits. */
const AT_ONCE = 1_000_000

/**
 * Writes a month of beacons, probe results and steered answers, and rolls them up as the collector does. Rows are made
 * by the store itself.
 */
export async function fillCharts(
  store: EventStore,
  filled: Filled,
  say: (line: string) => void = () => {},
): Promise<void> {
  const step = filled.beacons > AT_ONCE ? 1 : DAYS
  for (const table of EXPIRING) await store.command(`SYSTEM STOP TTL MERGES ${table}`)
  for (let day = 0; day < DAYS; day += step) {
    const startedAt = performance.now()
    await fillDays(store, filled, day, day + step)
    say(`  day ${day + step} of ${DAYS}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
}

async function fillDays(
  store: EventStore,
  { organizationId, siteId, domainId, beacons, until }: Filled,
  first: number,
  last: number,
): Promise<void> {
  const [from, to] = [first, last].map((day) => until - (DAYS - day) * DAY_SECONDS) as [number, number]
  const offset = rowsBefore(beacons, first)
  const rows = rowsBefore(beacons, last) - offset
  const shared = { organization: organizationId, from, seconds: to - from }
  await store.command(
    `INSERT INTO beacons (at, organization, cdn, continent, country, region, city, network, ok, rtt_ms)
     SELECT ${AT}, {organization:String}, ${nameAt(CDNS, CDN)}, '', ${nameAt(COUNTRIES, PLACE)}, '', '', concat('AS', toString(${HASH} % 5000)), ${OK}, ${RTT}
     FROM numbers({rows:UInt64})`,
    { ...shared, offset, rows },
  )
  await store.command(
    `INSERT INTO probes (at, organization, cdn, node, ok, rtt_ms, error)
     SELECT ${AT}, {organization:String}, ${nameAt(CDNS, CDN)}, 'bench', ${OK}, ${RTT}, ''
     FROM numbers({rows:UInt64})`,
    { ...shared, offset: 0, rows: Math.ceil(rows / PER_PROBE) },
  )
  await store.command(
    `INSERT INTO dns_answers (at, organization, site, domain, cdn, country, node, answers)
     SELECT ${AT}, {organization:String}, {site:String}, {domain:String}, ${nameAt(CDNS, CDN)}, ${nameAt(COUNTRIES, PLACE)}, 'bench', toUInt32(1 + number % 9)
     FROM numbers({rows:UInt64})`,
    { ...shared, site: siteId, domain: domainId, offset, rows: Math.ceil(rows / PER_ANSWER) },
  )
  const built = until * 1000
  const quarter = (to - from) / 4
  for (let part = 0; part < 4; part++)
    await runStep(store, 'minute', from + part * quarter, from + (part + 1) * quarter, built)
  await runStep(store, 'hour', from, to, built)
  await runStep(store, 'day', from, to, built)
  for (let day = first; day < Math.min(last, DAYS - MINUTE_DAYS); day++)
    for (const table of ['measures_minute', 'dns_answers_minute'])
      await store.command(`ALTER TABLE ${table} DROP PARTITION '${dayName(until - (DAYS - day) * DAY_SECONDS)}'`)
}

/** How many beacons there are before a day begins. */
const rowsBefore = (beacons: number, day: number): number => Math.floor((beacons * day) / DAYS)

const dayName = (seconds: number): string => new Date(seconds * 1000).toISOString().slice(0, 10).replaceAll('-', '')
