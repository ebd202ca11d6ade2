import type { Location } from '@fairway/contract'

/** How much of a place decides: its country, its region, or itself. */
export type Grain = 'country' | 'region' | 'place'

const UNKNOWN = 0

/**
 * Numbers of the country and the region of a place, found once for each place of a process. There are few countries and
 * some thousand regions, but hundreds of thousands of
 * places: what a policy has decided for a country need not be found out again for every town of it.
 */
export class PlaceNumbers {
  readonly #locationOf: (place: number, network: number) => Location
  readonly #numbers = new Map<string, number>()
  #countries = new Int32Array(1024)
  #regions = new Int32Array(1024)

  constructor(locationOf: (place: number, network: number) => Location) {
    this.#locationOf = locationOf
  }

  /** Equal for places that are the same as far as `grain` goes. */
  of(place: number, grain: Grain): number {
    if (grain === 'place') return place
    if (place >= this.#countries.length) this.#grow(place)
    const known = (grain === 'country' ? this.#countries[place] : this.#regions[place]) ?? UNKNOWN
    return known === UNKNOWN ? this.#find(place, grain) : known
  }

  #find(place: number, grain: Grain): number {
    const { country, region } = this.#locationOf(place, 0)
    this.#countries[place] = this.#number(`${country}`)
    this.#regions[place] = this.#number(`${country}-${region}`)
    return (grain === 'country' ? this.#countries[place] : this.#regions[place]) ?? UNKNOWN
  }

  #number(name: string): number {
    const known = this.#numbers.get(name) ?? this.#numbers.size + 1
    this.#numbers.set(name, known)
    return known
  }

  #grow(place: number): void {
    const size = Math.max(place + 1, this.#countries.length * 2)
    const grown = (from: Int32Array) => {
      const to = new Int32Array(size)
      to.set(from)
      return to
    }
    this.#countries = grown(this.#countries)
    this.#regions = grown(this.#regions)
  }
}
