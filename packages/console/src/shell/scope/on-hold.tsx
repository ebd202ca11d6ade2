import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { accountRead } from '../access/session.ts'
import { landingOf } from '../guards/landing.ts'

const AGAIN_MS = 15_000

/** A payment failed, for who can neither see nor pay bills: why nothing opens, and who can go on. */
export function OnHold() {
  const { t } = useTranslation('shell')
  const { data: account, refetch, isFetching } = useQuery({ ...accountRead, refetchInterval: AGAIN_MS })
  if (account?.organizationStatus === 'active') return <Navigate to={landingOf(account)} replace />
  return (
    <>
      <PageHeader title={t('onHold.title')} meaning={t('onHold.meaning')} />
      <EmptyTeach
        title={t('onHold.what', { organization: account?.organizationName ?? '' })}
        text={t('onHold.text')}
        action={
          <>
            <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
              {t('onHold.again')}
            </Button>
            <LinkButton variant="default" to="/support">
              {t('onHold.help')}
            </LinkButton>
          </>
        }
      />
    </>
  )
}
