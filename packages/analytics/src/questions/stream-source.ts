import type { StreamDimension } from '@fairway/contract'
import { type ChartGrain, chartGrain } from './grain.ts'

/** Whose views, and which of them. */
export type StreamScope = {
  organizationId: string
  source?: string | undefined
  kind?: 'asset' | 'live' | undefined
  country?: string | undefined
  cdn?: string | undefined
}
export type StreamInput = StreamScope & {
  seconds: number
  /** Epoch seconds; default is now. */ until?: number | undefined
  /** Epoch ms. */ now: number
}

/** With the table's name, for questions call what they gather by the columns' names. */
export function streamConditions({ source, kind, country, cdn }: StreamScope): string {
  return [
    'player_events.organization = {organization:String}',
    'player_events.at >= fromUnixTimestamp({from:Int64})',
    'player_events.at < fromUnixTimestamp({until:Int64})',
    ...(source === undefined ? [] : ['player_events.source = {source:String}']),
    ...(kind === undefined ? [] : ['player_events.kind = {kind:String}']),
    ...(country === undefined ? [] : ['player_events.country = {country:String}']),
    ...(cdn === undefined ? [] : ['player_events.cdn = {cdn:String}']),
  ].join(' AND ')
}

export function streamParameters(scope: StreamScope, grain: Pick<ChartGrain, 'from' | 'until' | 'intervalSeconds'>) {
  return {
    organization: scope.organizationId,
    source: scope.source ?? '',
    kind: scope.kind ?? '',
    country: scope.country ?? '',
    cdn: scope.cdn ?? '',
    from: grain.from,
    until: grain.until,
    step: grain.intervalSeconds,
  }
}

export function streamGrain({ seconds, until, now }: StreamInput): ChartGrain {
  const second = Math.floor(now / 1000)
  return chartGrain(seconds, until ?? second, second)
}

/** Start of the interval that an event falls into, epoch seconds. */
export const STREAM_LINE = 'intDiv(toUnixTimestamp(at), {step:UInt32}) * {step:UInt32}'

/** As many as there are up to some ten thousand, within half a percent above; memory is bounded whatever is posted. */
export const distinct = (column: string, condition?: string): string =>
  condition === undefined ? `uniqCombined64(17)(${column})` : `uniqCombined64If(17)(${column}, ${condition})`

export const dimensionSql = (by: StreamDimension): string =>
  by === 'rendition' ? `if(height > 0, concat(toString(height), 'p'), '')` : `toString(${by})`
