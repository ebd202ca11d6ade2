import type { RouteCause } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'

/** Why a place is sent elsewhere than before, in a line. */
export function useCauseWords(): (cause: RouteCause) => string {
  const { t } = useTranslation(['route-map', 'why'])
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  return (cause) => {
    switch (cause.kind) {
      case 'first':
        return t('cause.first')
      case 'change':
        return t('cause.change', { version: cause.version })
      case 'measurement': {
        const figures = [
          cause.availability !== null && format.percent(cause.availability),
          cause.latencyMs !== null && format.milliseconds(Math.round(cause.latencyMs * 10) / 10),
        ].filter((figure) => figure !== false)
        const said = cause.reason === null ? t('cause.moved') : t(`why:candidate.${cause.reason}`)
        return [t('cause.measurement', { name: lookOf(cause.cdnId).name, said }), ...figures].join(' · ')
      }
    }
  }
}
