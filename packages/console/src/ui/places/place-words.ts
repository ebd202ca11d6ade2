import type { Location } from '@fairway/contract'
import { formatPlace, parseScoreKey } from '@fairway/domain'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { usePlaceName } from '../geo/place-name.ts'

/** Places, networks and levels of data in the reader's language. */
export type PlaceWords = ReturnType<typeof usePlaceWords>

export function usePlaceWords() {
  const { t } = useTranslation('places')
  const placeName = usePlaceName()
  return useMemo(() => {
    const place = (key: string) => placeName(key, true)
    const network = (key: string) => t(`network.${key}`, { defaultValue: key })
    return {
      /** A place key, for example `region:US-CA`. */
      place,
      /** `CT` is China Telecom; an autonomous system stays its number. */
      network,
      /** A score key: a place, perhaps with a network in it. */
      level: (key: string): string => {
        const level = parseScoreKey(key)
        if (!level) return key
        const where = place(formatPlace(level.place))
        return level.network === null ? where : t('networkIn', { network: network(level.network), place: where })
      },
      /** Where a visitor is, by the finest that is known. */
      location: (location: Location): string => place(finestKey(location)),
    }
  }, [t, placeName])
}

function finestKey({ continent, country, region, city }: Location): string {
  if (country === null) return formatPlace({ kind: 'continent', continent })
  if (city !== null) return formatPlace({ kind: 'city', country, region, city })
  return formatPlace(region === null ? { kind: 'country', country } : { kind: 'region', country, region })
}
