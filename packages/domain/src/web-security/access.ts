import { addressKey } from './address-key.ts'
import { type Ask, firstOf, textsOf } from './ask.ts'
import type { AccessPlace, AccessTable } from './compiled.ts'
import { findBlock } from './find-block.ts'

/** The entry of a list that a visitor is on, by its id; undefined when on none. */
export function entryFor(table: AccessTable, ask: Ask, now: number): string | undefined {
  if (table.empty) return undefined
  const key = table.ids.length > 0 ? addressKey(firstOf(ask('address', ''))) : ''
  if (key !== '') {
    // An entry whose time is over leaves it to the one around it.
    for (let at = findBlock(table.blocks, key); at >= 0; at = table.blocks.parents[at] ?? -1)
      if (isInTime(table.untils[at] ?? 0, now)) return table.ids[at]
  }
  if (table.places.length === 0) return undefined
  for (const one of table.excluded) if (isInTime(one.until, now) && isThere(one, ask)) return undefined
  for (const one of table.places) if (isInTime(one.until, now) && isThere(one, ask)) return one.id
  return undefined
}

const isInTime = (until: number, now: number): boolean => until === 0 || until > now

function isThere(place: AccessPlace, ask: Ask): boolean {
  if (place.continent !== '' && firstOf(ask('continent', '')) !== place.continent) return false
  if (place.country !== '' && firstOf(ask('country', '')) !== place.country) return false
  if (place.region !== '' && firstOf(ask('region', '')) !== place.region) return false
  if (place.city !== '' && firstOf(ask('city', '')) !== place.city) return false
  return place.network === '' || textsOf(ask('network', '')).includes(place.network)
}
