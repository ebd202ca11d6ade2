import { type MonitoringCdn, cdnManagement, privateData } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { MonitoringForm } from './monitoring-form.tsx'

/** One monitoring CDN: what it is, and what is seen of its test object. */
export function EditMonitoringScreen() {
  const { t } = useTranslation('private-data')
  const { id, type } = useParams({ strict: false })
  const one = useRead(privateData.routes.get, { id: id ?? '' }, { enabled: id !== undefined })
  const cdns = useRead(cdnManagement.routes.platforms, { page_size: -1, ordering: 'name' })
  const error = one.error ?? cdns.error
  const isReady = cdns.data !== undefined && (id === undefined || one.data !== undefined)
  return (
    <>
      <PageHeader
        title={id === undefined ? t('add') : (one.data?.name ?? t('title'))}
        meaning={t('meaning')}
        actions={
          <LinkButton to="/dem/private-data" variant="default" leftSection={<IconArrowLeft size={16} stroke={1.65} />}>
            {t('back')}
          </LinkButton>
        }
      />
      <Gate route={privateData.routes.create} meaning={t('meaning')}>
        {error && !isReady && (
          <ErrorState error={error} onRetry={() => void Promise.all([one.refetch(), cdns.refetch()])} />
        )}
        {!isReady && !error && <Skeleton height={520} radius="lg" />}
        {isReady && (
          <MonitoringForm
            key={one.data?.id ?? 'new'}
            of={id === undefined ? null : (one.data ?? null)}
            type={typeOf(type)}
            cdns={cdns.data.data.map((cdn) => ({ value: cdn.id, label: cdn.name }))}
          />
        )}
      </Gate>
    </>
  )
}

const typeOf = (text: string | undefined): MonitoringCdn['type'] => (text === 'origin' ? 'origin' : 'cdn')
