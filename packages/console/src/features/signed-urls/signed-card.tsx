import { signedUrls } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import classes from './signed-urls.module.css'

/** Above a list of videos: who may play them. Nothing where that cannot be known. */
export function SignedCard() {
  const { t } = useTranslation(['stream-assets', 'signed-urls'])
  const { data, error } = useRead(signedUrls.routes.get, {})
  if (error && !data) return null
  const state = data?.on ? 'on' : 'off'
  return (
    <Card
      title={t('signedUrls.title')}
      hint={data && <Pill tone={data.on ? 'ok' : 'neutral'}>{t(`signed-urls:${state}`)}</Pill>}
      end={
        <LinkButton size="xs" variant="default" to="/stream/signed-urls">
          {t('signedUrls.open')}
        </LinkButton>
      }
    >
      {/* What stands below does not move when it is known. */}
      <Skeleton visible={!data}>
        <p className={classes.quiet}>{t(`signedUrls.${state}`)}</p>
      </Skeleton>
    </Card>
  )
}
