import type { Site, ZoneFilePreview } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Confirm } from '../../ui/layers/confirm.tsx'

type ImportGuardProps = {
  opened: boolean
  preview: ZoneFilePreview | undefined
  site: Site
  busy: boolean
  onClose: () => void
  onConfirm: () => void
}

/** Asks again before a large part of a zone becomes something else. */
export function ImportGuard({ opened, preview, site, busy, onClose, onConfirm }: ImportGuardProps) {
  const { t } = useTranslation('zone-files')
  const format = useFormat()
  const { changed = 0, removed = 0 } = preview?.counts ?? {}
  return (
    <Confirm
      opened={opened}
      onClose={onClose}
      title={t('guard.title')}
      verb={t('guard.verb')}
      danger
      busy={busy}
      onConfirm={onConfirm}
      alert={t('guard.alert', { percent: format.percent((preview?.touchedShare ?? 0) * 100), site: site.domainName })}
    >
      <p>{t('guard.text', { changed: format.number(changed), removed: format.number(removed) })}</p>
    </Confirm>
  )
}
