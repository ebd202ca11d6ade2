import type { Geo } from '@fairway/platform'

export type GeoRange = { address: string; prefixLength: number; country: string; continent: string }

/**
 * The country of every IPv4 network, walked from our own location data, so that all servers under test know the same
 * world.
 */
export function countryRanges(geo: Geo): GeoRange[] {
  const ranges: GeoRange[] = []
  const hit = { place: 0, network: 0, prefixLength: 0 }
  const bytes = new Uint8Array(4)
  // /16 is fine enough to tell countries apart and small enough for every server's own format.
  for (let block = 1 << 8; block < 223 << 8; block++) {
    bytes.set([block >> 8, block & 255, 128, 0])
    geo.find(bytes, 0, 4, hit)
    const { country, continent } = geo.location(hit.place, hit.network)
    if (country && continent !== '00')
      ranges.push({ address: `${block >> 8}.${block & 255}.0.0`, prefixLength: 16, country, continent })
  }
  return ranges
}
