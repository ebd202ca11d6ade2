import { useTranslation } from 'react-i18next'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'

/** Beside addresses and snippets of a video, while they play for nobody without a token. */
export function SignedNotice() {
  const { t } = useTranslation('stream-assets')
  return (
    <Notice
      tone="info"
      title={t('signed.title')}
      action={
        <LinkButton size="xs" variant="default" to="/stream/signed-urls">
          {t('signed.open')}
        </LinkButton>
      }
    >
      {t('signed.text')}
    </Notice>
  )
}
