import { EVERY_CDN } from '@fairway/contract/lean'
import { useTranslation } from 'react-i18next'
import { useCdnLooks, type CdnLook } from '../cdn-management/cdn-names.ts'

/** Name and colour of a target; `*` goes by what it stands for. */
export function useTargetLook(): (cdnId: string) => CdnLook {
  const { t } = useTranslation('routing-strategies')
  const { lookOf } = useCdnLooks()
  return (cdnId) => (cdnId === EVERY_CDN ? { id: cdnId, name: t('everyCdn'), series: 6 } : lookOf(cdnId))
}
