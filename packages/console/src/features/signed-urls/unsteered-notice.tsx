import { signedUrls } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Notice } from '../../ui/page/notice.tsx'

/** Above a balancer: while signing is on only CDNs that check tokens take part. */
export function UnsteeredNotice() {
  const { t } = useTranslation('stream-assets')
  const { data } = useRead(signedUrls.routes.get, {})
  return data?.on === true ? <Notice tone="info">{t('signed.unsteered')}</Notice> : null
}
