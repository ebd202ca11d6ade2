import fs from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import type { Geo } from '@fairway/platform'
import { COUNTRIES } from './countries.ts'

const NETWORKS_PER_COUNTRY = 60
const SEED = 2_718_281

/** First addresses of /24 networks by country, with the name the latency model knows each by. */
export const VisitorNetworks = z.record(z.string(), z.array(z.object({ subnet: z.string(), network: z.string() })))
export type VisitorNetworks = z.infer<typeof VisitorNetworks>

/**
 * Real networks of the visitors' countries. Drawing them goes through all of the location data, once for each country,
 * so the draw is kept in the home;
 * then a start neither waits for it nor holds the data in memory. Few networks move between countries from one edition
 * of the data to the next.
 */
export async function visitorNetworks(
  home: string,
  openGeo: () => Promise<Pick<Geo, 'sampleNetworks'>>,
): Promise<VisitorNetworks> {
  const file = path.join(home, 'cache', 'visitor-networks.json')
  const kept = readKept(file)
  if (kept) return kept
  const geo = await openGeo()
  const networks = Object.fromEntries(
    COUNTRIES.map(({ code }) => [
      code,
      geo
        .sampleNetworks(code, NETWORKS_PER_COUNTRY, SEED)
        .map(({ address, location }) => ({ subnet: address, network: location.network ?? address })),
    ]),
  )
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, JSON.stringify(networks))
  return networks
}

function readKept(file: string): VisitorNetworks | null {
  try {
    return VisitorNetworks.parse(JSON.parse(fs.readFileSync(file, 'utf8')))
  } catch {
    // Missing or half written: it is drawn again.
    return null
  }
}
