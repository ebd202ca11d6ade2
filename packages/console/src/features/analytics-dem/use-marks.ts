import type { ChartMark } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import type { Mark } from '../../ui/charts/time-series-model.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'

const NONE: readonly ChartMark[] = []

/** The marks of a report in the reader's language: which CDN was down, which version changed what. */
export function useMarks(marks: readonly ChartMark[] | undefined): Mark[] {
  const { t } = useTranslation('analytics-dem')
  const { lookOf } = useCdnLooks()
  const given = marks ?? NONE
  return useMemo(
    () =>
      given.map((mark): Mark => {
        if (mark.kind === 'failover')
          return { ...mark, label: mark.cdnId === null ? mark.label : t('downMark', { name: lookOf(mark.cdnId).name }) }
        return mark.version === null
          ? mark
          : {
              ...mark,
              label: t('versionMark', { version: mark.version, title: mark.label }),
              short: t('versionShort', { version: mark.version }),
            }
      }),
    [given, t, lookOf],
  )
}
