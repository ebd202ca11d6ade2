import { teammates } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Navigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useCanCall } from '../access/session.ts'
import { siteRead } from './scope.ts'

const AGAIN_MS = 15_000

/** A site that is not set up yet, for who may look and not finish it: why there is nothing, and who can go on. */
export function DraftSite() {
  const { t } = useTranslation('shell')
  const { zone_name: name } = useSearch({ from: '/shell/draft-site' })
  const canAskWho = useCanCall(teammates.routes.list)
  const { data, refetch, isFetching } = useQuery({ ...siteRead(name), refetchInterval: AGAIN_MS })
  const site = data?.data.find(({ domainName }) => domainName === name)
  if (data && site?.zoneStatus !== 0)
    return site ? (
      <Navigate to="/$site/{-$domain}/home" params={{ site: site.domainName, domain: undefined }} replace />
    ) : (
      <Navigate to="/home" replace />
    )
  return (
    <>
      <PageHeader title={t('draftSite.title', { site: name })} meaning={t('draftSite.meaning')} />
      <EmptyTeach
        title={t('draftSite.what')}
        text={t('draftSite.text')}
        action={
          <>
            <Button variant="default" loading={isFetching} onClick={() => void refetch()}>
              {t('draftSite.again')}
            </Button>
            {canAskWho && (
              <LinkButton variant="default" to="/account/teammate">
                {t('draftSite.who')}
              </LinkButton>
            )}
          </>
        }
      />
    </>
  )
}
