import { COUNTRY_CODES, continentOf, isInside } from '@fairway/domain'

/** A node of the picker's tree; `key` is a place key of the contract. */
export type PlaceNode = { key: string; parent: string | null; children: readonly string[] }

const CONTINENTS = ['AF', 'AS', 'EU', 'NA', 'OC', 'SA', '00'] as const

/**
 * Countries that are steered by region: provinces of China by their two digits (GB/T 2260), states of the US by their
 * letters, counties and cities of Taiwan by theirs (ISO 3166-2).
 */
export const REGIONS: Record<string, readonly string[]> = {
  CN: '11 12 13 14 15 21 22 23 31 32 33 34 35 36 37 41 42 43 44 45 46 50 51 52 53 54 61 62 63 64 65'.split(' '),
  TW: 'CHA CYI CYQ HSQ HSZ HUA ILA KEE KHH KIN LIE MIA NAN NWT PEN PIF TAO TNN TPE TTT TXG YUN'.split(' '),
  US: 'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  ),
}

/** Continents, their countries, and the regions of countries that have them. */
export const PLACE_TREE: ReadonlyMap<string, PlaceNode> = makeTree()
export const ROOT_KEYS: readonly string[] = CONTINENTS.map((code) => `continent:${code}`)

export type CheckState = 'on' | 'off' | 'part'

/** A place is on when it or a place around it is chosen, part when only something inside it is. */
export function checkState(key: string, chosen: readonly string[]): CheckState {
  if (chosen.some((other) => isInside(key, other))) return 'on'
  return chosen.some((other) => isInside(other, key)) ? 'part' : 'off'
}

/**
 * Turns a place on or off. Chosen places never lie inside each other; taking one out of a chosen larger place leaves
 * the rest of that place chosen.
 */
export function togglePlace(key: string, chosen: readonly string[]): string[] {
  if (checkState(key, chosen) !== 'on') return [...chosen.filter((other) => !isInside(other, key)), key]
  if (chosen.includes(key)) return chosen.filter((other) => other !== key)
  const parent = PLACE_TREE.get(key)?.parent
  if (!parent) return [...chosen]
  const siblings = PLACE_TREE.get(parent)?.children.filter((other) => other !== key) ?? []
  return [...togglePlace(parent, chosen), ...siblings]
}

function makeTree(): Map<string, PlaceNode> {
  const nodes: PlaceNode[] = []
  for (const continent of CONTINENTS) {
    const key = `continent:${continent}`
    const countries = COUNTRY_CODES.filter((country) => continentOf(country) === continent)
    nodes.push({ key, parent: null, children: countries.map((country) => `country:${country}`) })
    for (const country of countries) {
      const regions = (REGIONS[country] ?? []).map((region) => `region:${country}-${region}`)
      nodes.push(
        { key: `country:${country}`, parent: key, children: regions },
        ...regions.map((region) => ({ key: region, parent: `country:${country}`, children: [] })),
      )
    }
  }
  return new Map(nodes.map((node) => [node.key, node]))
}
