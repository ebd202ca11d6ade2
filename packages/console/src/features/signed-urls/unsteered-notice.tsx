import { signedUrls } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Notice } from '../../ui/page/notice.tsx'

/** Above a balancer: it rests while signing is on, since a token is of one host. */
export function UnsteeredNotice() {
  const { t } = useTranslation('stream-assets')
  const { data } = useRead(signedUrls.routes.get, {})
  return data?.on === true ? <Notice tone="warn">{t('signed.unsteered')}</Notice> : null
}
