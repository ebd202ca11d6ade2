import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useNow } from '../../ui/marks/age.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'

/** A picture older than this is not live any more, whatever the reason. */
const OLD_MS = 10_000

/** Whether the page is current, and how old it is when not. `at` is epoch ms. */
export function LivePill({ at, stale }: { at: number; stale: boolean }) {
  const { t } = useTranslation('overview')
  const format = useFormat()
  const now = Math.max(useNow(1000), at)
  const isOld = stale || now - at > OLD_MS
  return (
    <Pill tone={isOld ? 'warn' : 'ok'} title={format.exact(at)}>
      {isOld ? t('old', { age: format.ago(at, now) }) : t('live')}
    </Pill>
  )
}
