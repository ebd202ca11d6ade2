import type { MmdbPlace } from './mmdb-walk.ts'
import { isCountry } from './continents.ts'
import { cityOf, regionOf } from './regions.ts'

/** Numbers distinct places and their strings while the geo file is built; place 0 is "nothing known". */
export class PlaceTable {
  readonly countries = ['']
  readonly #places = new Map<string, number>([['', 0]])
  readonly #strings = new Map<string, number>([['', 0]])
  readonly #rows = { country: [0], region: [0], city: [0] }

  number(raw: MmdbPlace): number {
    if (!isCountry(raw.country)) return 0
    const city = cityOf(raw.city)
    const region = regionOf(raw.country, raw.state, city ?? '')
    const key = `${raw.country}|${region ?? ''}|${city ?? ''}`
    const known = this.#places.get(key)
    if (known !== undefined) return known
    this.#rows.country.push(this.#country(raw.country))
    this.#rows.region.push(this.#string(region))
    this.#rows.city.push(this.#string(city))
    this.#places.set(key, this.#places.size)
    return this.#places.size - 1
  }

  tables() {
    const encoded = [...this.#strings.keys()].map((text) => Buffer.from(text, 'utf8'))
    const stringStart = new Uint32Array(encoded.length + 1)
    for (const [index, text] of encoded.entries()) stringStart[index + 1] = (stringStart[index] ?? 0) + text.length
    return {
      countries: this.countries,
      placeCountry: Uint16Array.from(this.#rows.country),
      placeRegion: Uint32Array.from(this.#rows.region),
      placeCity: Uint32Array.from(this.#rows.city),
      stringStart,
      stringBytes: new Uint8Array(Buffer.concat(encoded)),
    }
  }

  #country(code: string): number {
    const at = this.countries.indexOf(code)
    return at >= 0 ? at : this.countries.push(code) - 1
  }

  #string(text: string | null): number {
    const key = text ?? ''
    const known = this.#strings.get(key)
    if (known !== undefined) return known
    this.#strings.set(key, this.#strings.size)
    return this.#strings.size - 1
  }
}
