import { COUNTRIES, type VisitorCountry } from './countries.ts'
import { activity } from './day-curve.ts'
import type { VisitorNetworks } from './visitor-networks.ts'

/** A person at a device: an address in a real network of a country. */
export type Person = {
  country: VisitorCountry
  address: string
  /** First address of the /24. */ subnet: string
  /** The network's name for the latency model. */ network: string
}

export type Crowd = {
  pick(at: number): Person
  /** How busy the whole crowd is, 1 being average. */ activity(at: number): number
}

/** People of thirty countries, as many of each as are awake there. `random` gives numbers in [0, 1). */
export function gatherCrowd(networks: VisitorNetworks, random: () => number): Crowd {
  const groups = COUNTRIES.map((country) => ({ country, networks: networks[country.code] ?? [] })).filter(
    (group) => group.networks.length > 0,
  )
  const total = groups.reduce((sum, { country }) => sum + country.weight, 0)
  const awake = (at: number) => groups.map(({ country }) => country.weight * activity(at, country.utcOffsetHours))
  return {
    activity: (at) => awake(at).reduce((sum, part) => sum + part, 0) / total,
    pick(at) {
      const parts = awake(at)
      let rest = random() * parts.reduce((sum, part) => sum + part, 0)
      const group = groups[parts.findIndex((part) => (rest -= part) < 0)] ?? groups[0]
      const found = group?.networks[Math.floor(random() * group.networks.length)]
      if (!group || !found) throw new Error('the location data knows no network of any of the countries')
      const address = found.subnet.replace(/\d+$/, String(1 + Math.floor(random() * 254)))
      return { country: group.country, address, ...found }
    },
  }
}
