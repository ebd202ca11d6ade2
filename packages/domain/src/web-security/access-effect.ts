import type { Location, SecurityPolicy } from '@fairway/contract'
import { NO_SCHEMA } from './api-schema/schema-in-force.ts'
import { parseCidr } from '../steering/cidr.ts'
import { locationKeys } from '../steering/places.ts'
import { entryFor } from './access.ts'
import { askOf } from './ask.ts'
import { compile } from './compile.ts'
import type { CompiledSecurity } from './compiled.ts'
import { CRS_DEFAULTS } from './rule-sets/defaults.ts'
import { inBytes } from './utf8.ts'

type Entries = SecurityPolicy['access']
/** Whether the lists keep an address out. `now` is epoch seconds. */
type Judge = (address: string, location: Location) => boolean

/** Holds addresses against lists, as the edge does. */
export function accessJudge(entries: Entries, now: number): Judge {
  const { access } = inBytes(compile({ ...NOTHING, access: entries }))
  return (address, location) => keepsOut(access, address, location, now)
}

/**
 * Holds networks, each a /24 or /48 by its first address, against lists. An entry that is narrower means some of a
 * network: `least` leaves it out where it would block and widens it where it would let in, `most` does the opposite.
 */
export function networkJudges(entries: Entries, now: number): { least: Judge; most: Judge } {
  const widened = (list: 'whitelist' | 'blacklist') =>
    accessJudge(
      entries.flatMap((entry) => {
        const wide = entry.kind === 'address' ? wholeNetwork(entry.value) : null
        if (wide === null) return [entry]
        return entry.list === list ? [{ ...entry, value: wide }] : []
      }),
      now,
    )
  return { least: widened('whitelist'), most: widened('blacklist') }
}

/** The /24 or /48 around a block that is smaller; null where it is none. */
function wholeNetwork(block: string): string | null {
  const network = parseCidr(block)
  if (network === null) return null
  const bits = network.family === 4 ? 24 : 48
  return network.prefixLength <= bits ? null : `${block.split('/')[0] ?? ''}/${bits}`
}

function keepsOut(access: CompiledSecurity['access'], address: string, location: Location, now: number): boolean {
  const ask = askOf(
    inBytes({
      address,
      continent: location.continent,
      country: location.country ?? '',
      region: location.region ?? '',
      city: location.city ?? '',
      networks: locationKeys(location).networks,
      host: '',
      method: 'GET',
      scheme: 'https',
      target: '/',
      protocol: 'HTTP/2.0',
      tlsVersion: '1.3',
      bodySize: 0,
      headers: [],
    }),
  )
  return entryFor(access.white, ask, now) === undefined && entryFor(access.black, ask, now) !== undefined
}

const NOTHING: SecurityPolicy = {
  access: [],
  bots: {
    securityLevel: 'off',
    challengeMode: 'browser-standard',
    integrityCheck: 'off',
    clearanceSeconds: 1800,
    verifiedCrawlers: true,
  },
  firewall: [],
  crs: { ...CRS_DEFAULTS, enabled: false, rules: [], exclusions: [] },
  api: [],
  schema: NO_SCHEMA,
  failedLogins: [],
  credentialStuffing: [],
  headers: [],
  origins: [],
}
