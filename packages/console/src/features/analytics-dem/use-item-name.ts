import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import type { ComparedItem } from './compare-model.ts'

/** How a compared line is called: its CDN, with the country where it is about one. */
export function useItemName(): (item: ComparedItem) => string {
  const { t } = useTranslation('analytics-dem')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  return useCallback(
    ({ cdnId, country }) => {
      const { name } = lookOf(cdnId)
      return country === undefined ? name : t('compare.inCountry', { name, country: format.country(country) })
    },
    [t, format, lookOf],
  )
}
