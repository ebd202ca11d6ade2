import type { Explanation } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Notice } from '../../ui/page/notice.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'

/** CDNs that probes see dead: since when, and what the probes saw. */
export function WhyOutages({ outages }: { outages: Explanation['outages'] }) {
  const { t } = useTranslation('why-panel')
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  return outages.map(({ cdnId, since, seen }) => (
    <Notice
      key={cdnId}
      tone="bad"
      title={t('down', { name: lookOf(cdnId).name, since: format.dateTime(Date.parse(since)) })}
    >
      {t('downSeen', { seen: seen || t('downUnknown') })}
    </Notice>
  ))
}
