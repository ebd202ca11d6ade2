import { certificates } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { z } from 'zod'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useShortcut } from '../../ui/keys/shortcuts.ts'
import { DetailDrawer } from './detail-drawer.tsx'
import type { CertificatesSearch } from './search.ts'
import { useCertificateColumns } from './use-certificate-columns.tsx'

const SetupDrawer = onDemand(async () => (await import('./setup-drawer.tsx')).SetupDrawer)
const UNDER_WAY_MS = 1000

type Search = z.infer<typeof CertificatesSearch>

/** Certificates of one site. */
export function SiteCertificatesScreen() {
  const { site } = useScope()
  const search = useSearch({ from: '/shell/$site/{-$domain}/multi-cdn/ssl' })
  const navigate = useNavigate({ from: '/$site/{-$domain}/multi-cdn/ssl' })
  return (
    <Certificates
      site={site.id}
      search={search}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
    />
  )
}

/** Certificates of all sites of the organisation. */
export function AllCertificatesScreen() {
  const search = useSearch({ from: '/shell/multi-cdn/ssl' })
  const navigate = useNavigate({ from: '/multi-cdn/ssl' })
  return (
    <Certificates
      site={undefined}
      search={search}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
    />
  )
}

function Certificates({
  site,
  search,
  onSearch,
}: {
  site: string | undefined
  search: Search
  onSearch: (change: Partial<Search>) => void
}) {
  const { t } = useTranslation('certificates')
  const canMake = useCanCall(certificates.routes.issue)
  const input = {
    page_size: -1,
    ...(site === undefined ? {} : { site }),
    ...(search.search ? { search: search.search } : {}),
  }
  const { data, error, refetch, isPlaceholderData } = useRead(certificates.routes.list, input, {
    everyMs: (seen) =>
      seen?.data.some(({ step, status }) => step !== null && (status === 'issuing' || step === 'deploy'))
        ? UNDER_WAY_MS
        : false,
  })
  const columns = useCertificateColumns(site === undefined)
  const open = (isOpen: boolean) => onSearch({ setup: isOpen || undefined })
  useShortcut('c', t('setup'), () => open(true), canMake)
  const add = canMake && (
    <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => open(true)}>
      {t('setup')}
    </Button>
  )
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} actions={add} />
      <Gate route={certificates.routes.list} meaning={t('meaning')}>
        {(data?.data.length !== 0 || search.search !== undefined) && (
          <FilterBar
            search={search.search ?? ''}
            onSearch={(text) => onSearch({ search: text || undefined })}
            placeholder={t('filter')}
            count={t('count', { count: data?.data.length ?? 0 })}
          />
        )}
        {error && !data ? (
          <ErrorState error={error} onRetry={() => void refetch()} />
        ) : (
          <DataTable
            label={t('title')}
            rows={data?.data}
            columns={columns}
            rowId={({ id }) => id}
            rowName={({ commonName }) => commonName}
            sort={search.sort}
            onSort={(sort) => onSearch({ sort })}
            onOpen={({ id }) => onSearch({ show: id })}
            stale={isPlaceholderData}
            empty={
              search.search ? (
                <EmptyTeach title={t('nothing.title')} text={t('nothing.text')} />
              ) : (
                <EmptyTeach
                  title={t('empty.title')}
                  text={t('empty.text')}
                  steps={[t('empty.step1'), t('empty.step2'), t('empty.step3')]}
                  action={add}
                />
              )
            }
          />
        )}
        <SetupDrawer
          opened={search.setup === true && canMake}
          onClose={() => open(false)}
          site={site}
          onMade={(id) => onSearch({ setup: undefined, show: id })}
        />
        {search.show !== undefined && <DetailDrawer id={search.show} onClose={() => onSearch({ show: undefined })} />}
      </Gate>
    </>
  )
}
