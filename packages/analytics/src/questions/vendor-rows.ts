import { HIT_LIST } from '../rollups/edge-paths.ts'
import type { ChartGrain } from './grain.ts'
import type { TrafficScope } from './traffic-source.ts'
import type { TrafficDimension } from '@fairway/contract'

/** Dimensions that vendors tell each by itself: how many requests of a status came from a cache is not known. */
const ALONE = ['status', 'cache', 'country'] as const
type Alone = (typeof ALONE)[number]
const isAlone = (by: TrafficDimension): by is Alone => ALONE.some((known) => known === by)
/** Buckets are no longer than this. */
const LONGEST_SECONDS = 3600

/** What vendors have served, in the columns of `servedRows`. */
export function vendorServed({ level }: Pick<ChartGrain, 'level'>, scope: TrafficScope): string {
  const filters = ALONE.filter((dimension) => scope[dimension] !== undefined)
  const [only, ...more] = filters
  const amount = (whole: 'requests' | 'bytes') => (only === undefined ? whole : more.length > 0 ? NONE : of(only, whole))
  // Of cache and status something is known where nothing narrows, or only they themselves do.
  const told = (dimension: Alone, values: string, whole: 'requests' | 'bytes' = 'requests') =>
    only === undefined ? sumOf(dimension, whole, values) : only === dimension && more.length === 0 ? `if(has(${values}, ${keyOf(dimension)}), ${of(dimension, whole)}, 0)` : NONE
  const toldAtAll = (dimension: Alone, whole: 'requests' | 'bytes' = 'requests') => (only === undefined ? allOf(dimension, whole) : only === dimension && more.length === 0 ? of(dimension, whole) : NONE)
  const left = (whole: 'requests' | 'bytes') => (only === undefined ? NONE : `least(${filters.map((dimension) => `${of(dimension, whole)} + ${untoldOf(dimension, whole, true)}`).join(', ')}) - ${amount(whole)}`)
  return spread(level, scope, {
    one_: amount('requests'), sent_: amount('bytes'), hits_: told('cache', HITS), hit_sent_: told('cache', HITS, 'bytes'), cache_told_: toldAtAll('cache'), cache_told_sent_: toldAtAll('cache', 'bytes'),
    client_errors_: told('status', `['4']`), server_errors_: told('status', `['5']`), status_told_: toldAtAll('status'), left_one_: left('requests'), left_sent_: left('bytes'),
  })
}

/** What vendors have served told apart by one dimension, in the columns of `apartRows`. */
export function vendorApart({ level }: Pick<ChartGrain, 'level'>, scope: TrafficScope, by: TrafficDimension): string {
  const filters = ALONE.filter((dimension) => scope[dimension] !== undefined)
  const [only, ...more] = filters
  const amount = (whole: 'requests' | 'bytes') => (only === undefined ? whole : more.length > 0 ? NONE : of(only, whole))
  if (!isAlone(by)) {
    const cache = only === undefined ? { hits_: sumOf('cache', 'requests', HITS), cache_told_: allOf('cache', 'requests') } : { hits_: NONE, cache_told_: NONE }
    return spread(level, scope, { one_: amount('requests'), sent_: amount('bytes'), ...cache }, { value: `toString(${by})`, is_untold: '0' })
  }
  const untold = (requests: string, bytes: string) => `[('', 1, ${requests}, ${bytes})]`
  const values = only === undefined ? `mapKeys(${by})` : `[${keyOf(by)}]`
  const parts = only !== undefined && only !== by || more.length > 0
    ? untold(amount('requests'), amount('bytes'))
    : `arrayConcat(arrayMap(name -> (name, 0, ${by}[name], ${by}_bytes[name]), ${values}), ${only === undefined ? untold(untoldOf(by, 'requests'), untoldOf(by, 'bytes')) : '[]'})`
  const isHit = by === 'cache' ? `part.2 = 0 AND has(${HITS}, part.1)` : '0'
  return spread(level, scope, { one_: 'part.3', sent_: 'part.4', hits_: `if(${isHit}, part.3, 0)`, cache_told_: by === 'cache' ? 'if(part.2 = 0, part.3, 0)' : NONE }, { value: 'part.1', is_untold: 'part.2' }, parts)
}

const NONE = 'toUInt64(0)'
const HITS = `[${HIT_LIST}]`
const mapOf = (dimension: Alone, whole: 'requests' | 'bytes'): string => (whole === 'requests' ? dimension : `${dimension}_bytes`)
const keyOf = (dimension: Alone): string => (dimension === 'status' ? 'toString({status:UInt16})' : `{${dimension}:String}`)
const of = (dimension: Alone, whole: 'requests' | 'bytes'): string => `${mapOf(dimension, whole)}[${keyOf(dimension)}]`
const allOf = (dimension: Alone, whole: 'requests' | 'bytes'): string => `arraySum(mapValues(${mapOf(dimension, whole)}))`
const sumOf = (dimension: Alone, whole: 'requests' | 'bytes', values: string): string => `arraySum(arrayMap(name -> ${mapOf(dimension, whole)}[name], ${values}))`

/** What of the whole has no value in a dimension. For one that is asked for, values that leave open whether it is that one have none either. */
function untoldOf(dimension: Alone, whole: 'requests' | 'bytes', isAskedFor = false): string {
  const open = { status: `if(toString({status:UInt16}) IN ('4', '5'), 0, ${mapOf(dimension, whole)}['ok'])`, cache: `if(has(${HITS}, {cache:String}), 0, ${mapOf(dimension, whole)}['uncached'])`, country: '0' }[dimension]
  return `toUInt64(greatest(0, toInt64(${whole}) - toInt64(${allOf(dimension, whole)})${isAskedFor ? ` + toInt64(${open})` : ''}))`
}

/** Rows of a level, each over the intervals that its bucket lasts: parts of a count that make the whole again. */
function spread(level: ChartGrain['level'], { siteId, domainId, cdn }: TrafficScope, counts: Record<string, string>, names: Record<string, string> = {}, parts?: string): string {
  const where = [
    'organization = {organization:String}', `at >= fromUnixTimestamp({from:Int64} - ${LONGEST_SECONDS})`, 'at < fromUnixTimestamp({until:Int64})',
    ...(siteId === undefined ? [] : ['site = {site:String}']), ...(domainId === undefined ? [] : ['domain = {domain:String}']), ...(cdn === undefined ? [] : ['cdn = {cdn:String}']),
  ].join(' AND ')
  const named = Object.entries(names).map(([name, value]) => `${value} AS ${name}`)
  const counted = Object.entries(counts).map(([name, count]) => `${count} AS ${name}`)
  const part = (name: string) => `toUInt64(intDiv(${name} * (turn + 1), turns) - intDiv(${name} * turn, turns)) AS ${name}`
  return `SELECT at + turn * {step:UInt32} AS moment, ${[...Object.keys(names), ...Object.keys(counts).map(part)].join(', ')}
    FROM (SELECT at, greatest(1, intDiv(seconds, {step:UInt32})) AS turns, ${[...named, ...counted].join(', ')}
      FROM (SELECT * FROM vendor_traffic_${level === 'raw' ? 'minute' : level} FINAL WHERE ${where}) ${parts === undefined ? '' : `ARRAY JOIN ${parts} AS part`})
    ARRAY JOIN range(turns) AS turn WHERE moment >= fromUnixTimestamp({from:Int64}) AND moment < fromUnixTimestamp({until:Int64})`
}
