import type { DnsRequestDimension } from '@fairway/contract'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'

/** How people read a value of a dimension. */
export function useValueName(): (by: DnsRequestDimension, value: string) => string {
  const { t } = useTranslation('dns-requests')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  return useCallback(
    (by, value) => {
      if (by === 'country') return value === '' ? t('unknown.country') : format.country(value)
      if (by === 'cdn') return lookOf(value).name
      if (value === '') return by === 'name' ? t('unknown.name') : t('unknown.network')
      return value
    },
    [t, format, lookOf],
  )
}
