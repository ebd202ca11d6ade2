import crypto from 'node:crypto'
import { Beacon, LIMITS, type Location } from '@fairway/contract'
import { isBoundHost, isPlausibleRtt } from '@fairway/domain'
import { storeTime } from '../store/tables.ts'
import type { PulseKey, PulseKeys } from './pulse-keys.ts'

type BeaconRefusal = 'not-json' | 'wrong-form' | 'unknown-key' | 'old-key' | 'wrong-host' | 'repeated'
type DroppedSample = 'implausible-rtt' | 'unknown-cdn' | 'object-fault' | 'too-many-of-cdn'
export type BeaconResult =
  | { refused: BeaconRefusal; key: PulseKey | null }
  | {
      refused: null
      key: PulseKey
      name: string
      /** What the batch is called, by every collector alike. */
      batch: string
      lines: string
      samples: number
      dropped: Record<DroppedSample, number>
      /** CDNs whose own test object is at fault, by the browser's word. */
      faults: { cdnId: string; fault: 'cors' | 'http' }[]
    }

/** A page tells of each object once: of the house's a CDN has one, of its organisation's own several. */
const SAMPLES_PER_CDN = { house: 2, own: LIMITS.monitoringCdns }

/** Whom a beacon came from: its place, a hash in place of its /24 or /48, and the page's host where it is told. */
export type BeaconSender = { location: Location; subnet: number; host: string }

/**
 * Turns a beacon's body into rows of the store. The address does not take part: only the place it stands for, and a
 * hash of its network. `isNew` tells whether a batch was not taken before: by its own name or, of one without, by all
 * that it says.
 */
export function readBeacon(
  body: string,
  keys: PulseKeys,
  { location, subnet, host }: BeaconSender,
  isNew: (name: string) => boolean,
  now: number,
): BeaconResult {
  let value: unknown
  try {
    value = JSON.parse(body)
  } catch {
    return { refused: 'not-json', key: null }
  }
  const beacon = Beacon.safeParse(value)
  if (!beacon.success) return { refused: 'wrong-form', key: null }
  const { k: name, i: batch, p: load, s: samples } = beacon.data
  const key = keys.get(name)
  if (!key) return { refused: 'unknown-key', key: null }
  if (key.until !== null && key.until <= now) return { refused: 'old-key', key }
  if (key.hosts.length > 0 && !isBoundHost(key.hosts, host)) return { refused: 'wrong-host', key }
  const called = batch === undefined ? `${subnet} ${body}` : `${name} ${batch}`
  if (!isNew(called)) return { refused: 'repeated', key }
  const start = `{"at":"${timeText(now)}","organization":${JSON.stringify(key.organizationId)},${placeColumns(location)},"subnet":${subnet},"post":${nextPost()},"cdn":`
  const dropped = { 'implausible-rtt': 0, 'unknown-cdn': 0, 'object-fault': 0, 'too-many-of-cdn': 0 }
  const faults: { cdnId: string; fault: 'cors' | 'http' }[] = []
  let lines = ''
  const keptOf = new Map<string, number>()
  let kept = 0
  for (const sample of samples) {
    const isOwnObject = key.cdns.get(sample.c)
    // Names that the organisation does not have would fill the store with whatever a stranger makes up.
    if (isOwnObject === undefined) dropped['unknown-cdn']++
    else if (isOwnObject && sample.ok === 0 && sample.f !== undefined) {
      dropped['object-fault']++
      faults.push({ cdnId: sample.c, fault: sample.f })
    } else if (sample.ok === 1 && (sample.r === undefined || !isPlausibleRtt(sample.r))) dropped['implausible-rtt']++
    else if ((keptOf.get(sample.c) ?? 0) >= SAMPLES_PER_CDN[isOwnObject ? 'own' : 'house']) dropped['too-many-of-cdn']++
    else {
      keptOf.set(sample.c, (keptOf.get(sample.c) ?? 0) + 1)
      lines += `${start}${JSON.stringify(sample.c)},"ok":${sample.ok},"rtt_ms":${sample.ok === 1 ? sample.r : 0}${parts(sample)}${kept === 0 && load ? loadColumns(load) : ''}}\n`
      kept++
    }
  }
  return { refused: null, key, name, batch: called, lines, samples: kept, dropped, faults }
}

/** What was measured apart from the first byte; 0, the column's default, is not measured. */
function parts({ ok, t, l, w, m }: Beacon['s'][number]): string {
  if (ok === 0) return ''
  let text = ''
  if (t !== undefined) text += `,"connect_ms":${t}`
  if (l !== undefined) text += `,"tls_ms":${l}`
  if (w !== undefined) text += `,"round_ms":${w}`
  if (m !== undefined) text += `,"mbps":${m}`
  return text
}

/** The page's costs stand in the first row of a post only, so that they are counted once. */
const loadColumns = ([requests, bytes, taskMs]: [number, number, number]) =>
  `,"requests":${requests},"page_bytes":${bytes},"task_ms":${taskMs}`

/** Names posts: unlike the browser's own name of a batch, nobody outside can choose it. 53 bits, by turn from a lot. */
let post = crypto.randomInt(2 ** 20) * 2 ** 32
const nextPost = (): number => (post += 1)

let [textOf, timeIs] = [0, '']

/** Many come in the same millisecond. */
function timeText(now: number): string {
  if (now !== textOf) [textOf, timeIs] = [now, storeTime(now)]
  return timeIs
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
