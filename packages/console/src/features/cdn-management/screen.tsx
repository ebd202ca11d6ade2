import { cdnManagement, overview } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { domainCdnsInput } from '../routing-strategies/strategies-read.ts'
import { DeployState } from '../versions/deploy-state.tsx'
import { RecentShares } from './recent-shares.tsx'
import { useCdnColumns } from './use-cdn-columns.tsx'

const InstallDialog = onDemand(async () => (await import('./install-dialog.tsx')).InstallDialog)

const SHARES_MS = 5000
const WINDOW_SECONDS = 300

/** The CDNs of a domain: are they installed, well, in use, and how are they ranked. */
export function CdnManagementScreen() {
  const { t } = useTranslation('cdn-management')
  const { site, domain } = useScope()
  const { install, sort } = useSearch({ from: '/shell/$site/{-$domain}/multi-cdn/cdn-management' })
  const navigate = useNavigate({ from: '/$site/{-$domain}/multi-cdn/cdn-management' })
  const canInstall = useCanCall(cdnManagement.routes.install) && domain !== null
  const place = { site: site.id, domain: domain?.id ?? '' }
  const { data, error, refetch } = useRead(cdnManagement.routes.list, domainCdnsInput(place), {
    enabled: domain !== null,
  })
  const shares = useRead(
    overview.routes.get,
    { ...place, window: WINDOW_SECONDS },
    { enabled: domain !== null, everyMs: SHARES_MS },
  ).data
  const rows = useMemo(
    () =>
      data?.data.map((cdn) => ({
        ...cdn,
        share: shares?.cdns.find(({ cdnId }) => cdnId === cdn.cdnId)?.share ?? null,
      })),
    [data, shares],
  )
  const columns = useCdnColumns(place, domain?.minimumSamples ?? 20)
  const open = (isOpen: boolean) => void navigate({ search: (before) => ({ ...before, install: isOpen || undefined }) })
  useShortcut('c', t('install'), () => open(true), canInstall)

  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        beside={domain && <DeployState site={site} />}
        actions={
          canInstall && (
            <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => open(true)}>
              {t('install')}
            </Button>
          )
        }
      />
      <Gate route={{ ...cdnManagement.routes.list, planFeature: 'multiCdn.enable' }} meaning={t('meaning')}>
        {domain && data?.data.some(({ standby }) => standby) && (
          <Notice tone="info" title={t('standby.title', { domain: domain.name })}>
            {t('standby.text')}
          </Notice>
        )}
        {!domain && <ChooseDomain title={t('guide')} to="/$site/{-$domain}/multi-cdn/cdn-management" />}
        {domain &&
          (error && !data ? (
            <ErrorState error={error} onRetry={() => void refetch()} />
          ) : (
            <DataTable
              label={t('tableOf', { domain: domain.name })}
              rows={rows}
              columns={columns}
              rowId={({ id }) => id}
              rowName={({ name }) => name}
              sort={sort}
              onSort={(next) => void navigate({ search: (before) => ({ ...before, sort: next }), replace: true })}
              empty={
                <EmptyTeach
                  title={t('empty.title')}
                  text={t('empty.text')}
                  steps={[t('empty.step1'), t('empty.step2'), t('empty.step3')]}
                  action={canInstall && <Button onClick={() => open(true)}>{t('install')}</Button>}
                />
              }
            />
          ))}
        {domain && data && data.data.length > 0 && <RecentShares place={place} />}
        {domain && (
          <InstallDialog
            opened={install === true && canInstall}
            onClose={() => open(false)}
            place={place}
            hasWebsocket={domain.settings.websocket}
            attached={data?.data ?? []}
          />
        )}
      </Gate>
    </>
  )
}
