import { Beacon, type Location } from '@fairway/contract'
import { isPlausibleRtt } from '@fairway/domain'
import { storeTime } from '../store/tables.ts'
import type { PulseKeys } from './pulse-keys.ts'

type BeaconRefusal = 'not-json' | 'wrong-form' | 'unknown-key'
type DroppedSample = 'implausible-rtt' | 'unknown-cdn'
export type BeaconResult =
  | { refused: BeaconRefusal }
  | { refused: null; lines: string; samples: number; dropped: Record<DroppedSample, number> }

/** Turns a beacon's body into rows of the store. The address does not take part: only the place it stands for does. */
export function readBeacon(body: string, keys: PulseKeys, location: Location, now: number): BeaconResult {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return { refused: 'not-json' }
  }
  const beacon = Beacon.safeParse(value)
  if (!beacon.success) return { refused: 'wrong-form' }
  const key = keys.get(beacon.data.k)
  if (!key) return { refused: 'unknown-key' }
  const start = `{"at":"${storeTime(now)}","organization":${JSON.stringify(key.organizationId)},${placeColumns(location)},"cdn":`
  const dropped = { 'implausible-rtt': 0, 'unknown-cdn': 0 }
  let lines = ''
  let samples = 0
  for (const sample of beacon.data.s) {
    // Names that the organisation does not have would fill the store with whatever a stranger makes up.
    if (!key.cdnIds.has(sample.c)) dropped['unknown-cdn']++
    else if (sample.ok === 1 && (sample.r === undefined || !isPlausibleRtt(sample.r))) dropped['implausible-rtt']++
    else {
      lines += `${start}${JSON.stringify(sample.c)},"ok":${sample.ok},"rtt_ms":${sample.ok === 1 ? sample.r : 0}}\n`
      samples++
    }
  }
  return { refused: null, lines, samples, dropped }
}

const columns = new WeakMap<Location, string>()

/** The location's part of a row; locations are shared objects, so it is written once for each. */
function placeColumns(location: Location): string {
  const known = columns.get(location)
  if (known !== undefined) return known
  const { continent, country, region, city, network } = location
  const text = JSON.stringify({
    continent,
    country: country ?? '',
    region: region ?? '',
    city: city ?? '',
    network: network ?? '',
  }).slice(1, -1)
  columns.set(location, text)
  return text
}
