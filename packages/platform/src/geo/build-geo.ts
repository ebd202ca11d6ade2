import fs from 'node:fs'
import { readAsnIpv4, readAsnIpv6 } from './asn-ranges.ts'
import { type GeoTables, writeGeoFile } from './geo-file.ts'
import type { GeoSources } from './geo-sources.ts'
import { indexIpv4 } from './ipv4-table.ts'
import { mmdbPlaceReader, walkMmdb } from './mmdb-walk.ts'
import { PlaceTable } from './place-table.ts'
import { Steps, joinSteps } from './steps.ts'

/**
 * Builds the compact file from the packages' data: seconds of work and a few hundred megabytes, so it runs in a process
 * of its own.
 */
export function buildGeo(sources: GeoSources, file: string): void {
  const places = new PlaceTable()
  const networks = new Numbering()
  const pairs = new Numbering()
  const leaf = (place: number, asn: number) => pairs.number(place * 2 ** 20 + networks.number(asn))
  leaf(0, 0)
  const v4 = joinSteps(
    readCities(sources.cityIpv4, places),
    readAsnIpv4(fs.readFileSync(sources.asnIpv4, 'latin1')),
    leaf,
  )
  const v6 = joinSteps(
    readCities(sources.cityIpv6, places),
    readAsnIpv6(fs.readFileSync(sources.asnIpv6, 'latin1')),
    leaf,
  )
  const leafPlace = Uint32Array.from(pairs.values, (pair) => Math.floor(pair / 2 ** 20))
  const leafNetwork = Uint32Array.from(pairs.values, (pair) => pair % 2 ** 20)
  const tables: GeoTables = {
    ...indexIpv4(v4, leafPlace, leafNetwork),
    ...indexIpv6(v6),
    leafPlace,
    leafNetwork,
    networkAsn: Uint32Array.from(networks.values),
    ...places.tables(),
    stamp: sources.stamp,
  }
  writeGeoFile(file, tables)
}

/** Gives distinct values numbers in order of appearance. */
class Numbering {
  readonly values: number[] = []
  readonly #numbers = new Map<number, number>()

  number(value: number): number {
    const known = this.#numbers.get(value)
    if (known !== undefined) return known
    this.#numbers.set(value, this.values.length)
    return this.values.push(value) - 1
  }
}

function readCities(file: string, places: PlaceTable): Steps {
  const bytes = fs.readFileSync(file)
  const read = mmdbPlaceReader(bytes)
  const placeOfRecord = new Map<number, number>([[-1, 0]])
  const steps = new Steps(1 << 22)
  walkMmdb(bytes, (high, low, record) => {
    let place = placeOfRecord.get(record)
    if (place === undefined) placeOfRecord.set(record, (place = places.number(read(record))))
    steps.append(high, low, place)
  })
  return steps
}

function indexIpv6(steps: Steps): Pick<GeoTables, 'v6Top' | 'v6First' | 'v6Low' | 'v6Leaf'> {
  const tops: number[] = []
  const firsts: number[] = []
  for (let at = 0; at < steps.length; at++) {
    const high = steps.high[at] ?? 0
    if (tops[tops.length - 1] === high) continue
    tops.push(high)
    firsts.push(at)
  }
  return {
    v6Top: Uint32Array.from(tops),
    v6First: Uint32Array.from([...firsts, steps.length]),
    v6Low: steps.low.slice(0, steps.length),
    v6Leaf: steps.value.slice(0, steps.length),
  }
}

// Started by prepare-geo.ts as `node build-geo.ts <sources as JSON> <file>`.
if (process.argv[1] === import.meta.filename)
  buildGeo(JSON.parse(process.argv[2] ?? '{}') as GeoSources, process.argv[3] ?? '')
