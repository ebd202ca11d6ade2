import path from 'node:path'
import { CONTINENTS_BY_COUNTRY } from './continents.ts'
import { CHINA_NETWORKS_BY_SYSTEM } from './china-networks.ts'
import { prepareGeo } from './prepare-geo.ts'

/** For readers that are no process of ours: where the location data lies, and what it leaves to tables of the code. */
export async function geoNames(config: {
  home: string
}): Promise<{ file: string; continents: Record<string, string>; groups: Record<string, string> }> {
  await prepareGeo(config.home)
  return {
    file: path.join(config.home, 'geo', 'geo.bin'),
    continents: Object.fromEntries(CONTINENTS_BY_COUNTRY),
    groups: Object.fromEntries([...CHINA_NETWORKS_BY_SYSTEM].map(([asn, group]) => [`AS${asn}`, group])),
  }
}
