import { partners } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { PartnerForm } from './partner-form.tsx'
import classes from './partners.module.css'

/** Everything a partner replaces, with the console in its colours beside it. */
export function PartnerScreen() {
  const { t } = useTranslation('partners')
  const { partner } = useParams({ from: '/shell/operator/partners/$partner' })
  const { data, error, refetch } = useRead(partners.routes.get, { partner })
  return (
    <>
      <Link className="link" to="/operator/partners">
        <span className={classes.who}>
          <IconArrowLeft size={15} stroke={1.8} aria-hidden />
          {t('title')}
        </span>
      </Link>
      {error && !data && (
        <>
          <PageHeader title={t('title')} />
          <ErrorState error={error} onRetry={() => void refetch()} />
        </>
      )}
      {!data && !error && <Skeleton height={480} radius="lg" />}
      {data && data.id === partner && <PartnerForm key={data.id} partner={data} />}
    </>
  )
}
