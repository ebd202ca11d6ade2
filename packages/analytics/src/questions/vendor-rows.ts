import { CACHE_HITS, type TrafficDimension } from '@fairway/contract'
import type { ChartGrain } from './grain.ts'
import type { TrafficScope } from './traffic-input.ts'

/** Dimensions that vendors tell each by itself: how many requests of a status came from a cache is not known. */
const ALONE = ['status', 'cache', 'country'] as const
type Alone = (typeof ALONE)[number]
type Whole = 'requests' | 'bytes'
const isAlone = (by: TrafficDimension): by is Alone => ALONE.some((known) => known === by)
/** Buckets are no longer than this. */
const LONGEST_SECONDS = 3600

/** The interval of the chart that a row of any table begins in. */
export const LINE = 'intDiv(toUnixTimestamp(at), {step:UInt32}) * {step:UInt32}'
/**
 * Columns of `servedRows`, each named with a low line behind it; `leftOut` is what the filter leaves out only because
 * it is not told.
 */
export const SERVED = [
  'requests',
  'bytes',
  'hits',
  'hitBytes',
  'cacheTold',
  'cacheToldBytes',
  'clientErrors',
  'serverErrors',
  'statusTold',
  'leftOut',
  'leftOutBytes',
] as const

/** What vendors have served, in the columns of `servedRows`. */
export function vendorServed({ level }: Pick<ChartGrain, 'level'>, scope: TrafficScope): string {
  const { filters, only, isOne, amount } = narrowed(scope)
  // Of cache and status something is known where nothing narrows, or only they themselves do.
  const told = (dimension: Alone, values: string[], whole: Whole = 'requests') =>
    only === undefined
      ? sumOf(dimension, whole, values)
      : only === dimension && isOne
        ? `if(${keyOf(dimension)} IN (${values.join(', ')}), ${of(dimension, whole)}, 0)`
        : NONE
  const toldAtAll = (dimension: Alone, whole: Whole = 'requests') =>
    only === undefined ? allOf(dimension, whole) : only === dimension && isOne ? of(dimension, whole) : NONE
  const left = (whole: Whole) =>
    only === undefined
      ? NONE
      : `least(${filters.map((dimension) => `${of(dimension, whole)} + ${untoldOf(dimension, whole, true)}`).join(', ')}) - ${amount(whole)}`
  const counts: Record<(typeof SERVED)[number], string> = {
    requests: amount('requests'),
    bytes: amount('bytes'),
    hits: told('cache', HITS),
    hitBytes: told('cache', HITS, 'bytes'),
    cacheTold: toldAtAll('cache'),
    cacheToldBytes: toldAtAll('cache', 'bytes'),
    clientErrors: told('status', [`'4'`]),
    serverErrors: told('status', [`'5'`]),
    statusTold: toldAtAll('status'),
    leftOut: left('requests'),
    leftOutBytes: left('bytes'),
  }
  return `SELECT ${BEGIN} AS begin, ${TURNS} AS turns, ${SERVED.map((name) => `${counts[name] === NONE ? NONE : `sum(${counts[name]})`} AS ${name}_`).join(', ')} FROM ${rowsOf(level, scope)} GROUP BY begin, turns`
}

/**
 * What vendors have served told apart by one dimension, in the columns of `apartRows`: of a bucket that the range cuts,
 * the intervals inside.
 */
export function vendorApart({ level }: Pick<ChartGrain, 'level'>, scope: TrafficScope, by: TrafficDimension): string {
  const { value, isUntold, requests, bytes, hits, cacheTold, parts } = apart(scope, by)
  const before = (end: 'from' | 'until') =>
    `least(turns, intDiv(greatest(0, {${end}:Int64} - toUnixTimestamp(at) + {step:UInt32} - 1), {step:UInt32}))`
  const counts = `arrayMap(count -> toUInt64(intDiv(count * ${before('until')}, turns) - intDiv(count * ${before('from')}, turns)), [${[requests, bytes, hits, cacheTold].join(', ')}])`
  return `SELECT ${value} AS value, ${isUntold} AS is_untold, sumForEach(${counts}) AS counts FROM (SELECT *, ${TURNS} AS turns FROM ${rowsOf(level, scope)})${parts} GROUP BY value, is_untold`
}

/** The same in the columns of `apartLines`. */
export function vendorApartLines(
  { level }: Pick<ChartGrain, 'level'>,
  scope: TrafficScope,
  by: TrafficDimension,
): string {
  const { value, isUntold, requests, bytes, parts } = apart(scope, by)
  const series = `toInt32(indexOf({top:Array(String)}, ${value}))`
  return `SELECT ${BEGIN} AS begin, ${TURNS} AS turns, ${isUntold === '0' ? series : `if(${isUntold} = 1, -1, ${series})`} AS series, sum(${requests}) AS requests_, sum(${bytes}) AS bytes_ FROM (SELECT * FROM ${rowsOf(level, scope)})${parts} GROUP BY begin, turns, series`
}

/** By what the dimensions that vendors tell each by itself are narrowed, and what is left of the whole. */
function narrowed(scope: TrafficScope) {
  const filters = ALONE.filter((dimension) => scope[dimension] !== undefined)
  const [only, ...more] = filters
  const isOne = more.length === 0
  return {
    filters,
    only,
    isOne,
    amount: (whole: Whole) => (only === undefined ? whole : isOne ? of(only, whole) : NONE),
  }
}

/**
 * What of a bucket has which value of a dimension; where it tells several, one `part` for each and one for what it does
 * not tell.
 */
function apart(
  scope: TrafficScope,
  by: TrafficDimension,
): {
  value: string
  isUntold: string
  requests: string
  bytes: string
  hits: string
  cacheTold: string
  parts: string
} {
  const { only, isOne, amount } = narrowed(scope)
  if (!isAlone(by)) {
    const cache =
      only === undefined
        ? { hits: sumOf('cache', 'requests', HITS), cacheTold: allOf('cache', 'requests') }
        : { hits: NONE, cacheTold: NONE }
    return {
      value: `toString(${by})`,
      isUntold: '0',
      requests: amount('requests'),
      bytes: amount('bytes'),
      ...cache,
      parts: '',
    }
  }
  const untold = (requests: string, bytes: string) => `[('', 1, ${requests}, ${bytes})]`
  const values = only === undefined ? `mapKeys(${by})` : `[${keyOf(by)}]`
  const parts =
    (only !== undefined && only !== by) || !isOne
      ? untold(amount('requests'), amount('bytes'))
      : `arrayConcat(arrayMap(name -> (name, 0, ${by}[name], ${by}_bytes[name]), ${values}), ${only === undefined ? untold(untoldOf(by, 'requests'), untoldOf(by, 'bytes')) : '[]'})`
  const told =
    by === 'cache'
      ? { hits: `if(part.2 = 0 AND part.1 IN (${HITS.join(', ')}), part.3, 0)`, cacheTold: 'if(part.2 = 0, part.3, 0)' }
      : { hits: NONE, cacheTold: NONE }
  return {
    value: 'part.1',
    isUntold: 'part.2',
    requests: 'part.3',
    bytes: 'part.4',
    ...told,
    parts: ` ARRAY JOIN ${parts} AS part`,
  }
}

const NONE = 'toUInt64(0)'
const HITS = CACHE_HITS.map((status) => `'${status}'`)
const mapOf = (dimension: Alone, whole: Whole): string => (whole === 'requests' ? dimension : `${dimension}_bytes`)
const keyOf = (dimension: Alone): string =>
  dimension === 'status' ? 'toString({status:UInt16})' : `{${dimension}:String}`
const of = (dimension: Alone, whole: Whole): string => `${mapOf(dimension, whole)}[${keyOf(dimension)}]`
const allOf = (dimension: Alone, whole: Whole): string => `arraySum(mapValues(${mapOf(dimension, whole)}))`
const sumOf = (dimension: Alone, whole: Whole, values: string[]): string =>
  values.map((value) => `${mapOf(dimension, whole)}[${value}]`).join(' + ')

/**
 * What of the whole has no value in a dimension. For one that is asked for, values that leave open whether it is that
 * one have none either.
 */
function untoldOf(dimension: Alone, whole: Whole, isAskedFor = false): string {
  const open = {
    status: `if(toString({status:UInt16}) IN ('4', '5'), 0, ${mapOf(dimension, whole)}['ok'])`,
    cache: `if({cache:String} IN (${HITS.join(', ')}), 0, ${mapOf(dimension, whole)}['uncached'])`,
    country: '0',
  }[dimension]
  return `toUInt64(greatest(0, toInt64(${whole}) - toInt64(${allOf(dimension, whole)})${isAskedFor ? ` + toInt64(${open})` : ''}))`
}

/**
 * How many intervals a bucket lies over, and the first of them: one that is not longer than an interval lies in it,
 * wherever it begins.
 */
const TURNS = 'greatest(1, intDiv(seconds, {step:UInt32}))'
const BEGIN = `if(seconds < 2 * {step:UInt32}, ${LINE}, toUnixTimestamp(at))`

function rowsOf(level: ChartGrain['level'], { siteId, domainId, cdn }: TrafficScope): string {
  const where = [
    'organization = {organization:String}',
    `at >= fromUnixTimestamp({from:Int64} - ${LONGEST_SECONDS})`,
    'at < fromUnixTimestamp({until:Int64})',
    ...(siteId === undefined ? [] : ['site = {site:String}']),
    ...(domainId === undefined ? [] : ['domain = {domain:String}']),
    ...(cdn === undefined ? [] : ['cdn = {cdn:String}']),
  ]
  return `vendor_traffic_${level === 'raw' ? 'minute' : level} FINAL WHERE ${where.join(' AND ')}`
}
