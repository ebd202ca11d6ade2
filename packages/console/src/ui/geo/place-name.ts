import { parsePlace } from '@fairway/domain'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'

/** Names places in the reader's language: `(key) => name`. With `within`, regions and cities say their country too. */
export function usePlaceName(): (key: string, within?: boolean) => string {
  const { t, i18n } = useTranslation('geo')
  const format = useFormat()
  return useMemo(() => {
    const regionName = (country: string, region: string) =>
      i18n.exists(`geo:region.${country}-${region}`) ? t(`region.${country}-${region}`) : region
    return (key, within = false) => {
      const place = parsePlace(key)
      if (place === null) return key
      switch (place.kind) {
        case 'world':
          return t('world')
        case 'continent':
          return t(`continent.${place.continent}`)
        case 'country':
          return format.country(place.country)
        case 'region':
          return within
            ? t('inside', { inner: regionName(place.country, place.region), outer: format.country(place.country) })
            : regionName(place.country, place.region)
        case 'city':
          return within ? t('inside', { inner: place.city, outer: format.country(place.country) }) : place.city
      }
    }
  }, [t, i18n, format])
}
