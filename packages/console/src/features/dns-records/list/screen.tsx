import { dnsRecords } from '@fairway/contract'
import type { DnsRecord } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconHistory, IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useScope } from '../../../shell/scope/scope.ts'
import { DataTable } from '../../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../../ui/page/error-state.tsx'
import { Notice } from '../../../ui/page/notice.tsx'
import { PageHeader } from '../../../ui/page/page-header.tsx'
import { useShortcut } from '../../../ui/keys/shortcuts.ts'
import { useTypedSearch } from '../../../ui/filters/use-typed-search.ts'
import { DeployState } from '../../versions/deploy-state.tsx'
import { VersionHistory } from '../../versions/version-history.tsx'
import { WhyPanel } from '../../why/why-panel.tsx'
import { ClaimCard } from '../../nameservers/claim-card.tsx'
import { isAnswered, isSettled } from '../../nameservers/claim-words.ts'
import { ZoneFileActions } from '../../zone-files/zone-file-actions.tsx'
import { BulkActions } from './bulk-actions.tsx'
import { filterRecords, recordLabel, wordsOf } from '../filter-records.ts'
import { RecordDrawer } from '../form/record-drawer.tsx'
import { RecordPages } from './record-pages.tsx'
import { RecordsFilter } from './records-filter.tsx'
import { RecordHints, useHints } from '../record-hints.ts'
import { isPaged, usePagedRecords, useRecords } from '../reads.ts'
import type { DnsRecordsSearch } from '../search.ts'
import { useCanEdit, useIsFetched } from '../use-can-edit.ts'
import { useRecordColumns } from './use-record-columns.tsx'
import { ZoneStrip } from './zone-strip.tsx'

const NONE: readonly DnsRecord[] = []
const FROM = '/shell/$site/{-$domain}/dns/dns-records'

/** The names of a site and what they answer. */
export function DnsRecordsScreen() {
  const { t } = useTranslation('dns-records')
  const { site, domain, domains } = useScope()
  const search = useSearch({ from: FROM })
  const navigate = useNavigate({ from: '/$site/{-$domain}/dns/dns-records' })
  const set = (change: Partial<DnsRecordsSearch>) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: !('record' in change || 'history' in change) })
  const isLarge = isPaged(site)
  const whole = useRecords(site)
  const paged = usePagedRecords(site, { ...search, domainName: domain?.name ?? null })
  const { data, error, refetch } = isLarge ? paged : whole
  const isPart = !isLarge && whole.isPlaceholderData
  const isFetched = useIsFetched(site.id)
  const canCreate = useCanEdit(site.id, dnsRecords.routes.create)
  const columns = useRecordColumns(site, {
    onEdit: (id) => set({ record: id }),
    onHistory: (id) => set({ history: id }),
  })
  const all = data?.data
  const { type, multiCdn, tag } = search
  const typed = useTypedSearch(search.search ?? '', (text) => set({ search: text || undefined, page: undefined }))
  const rows = useMemo(
    () =>
      isLarge
        ? all
        : all &&
          filterRecords(all, {
            search: typed.text,
            type,
            multiCdn,
            tag,
            siteName: site.domainName,
            domainName: domain?.name ?? null,
          }),
    [isLarge, all, typed.text, type, multiCdn, tag, site.domainName, domain],
  )
  // Before the first key: it is answered as quickly as the others.
  useEffect(() => {
    if (!all || isLarge || typeof requestIdleCallback === 'undefined') return
    const idle = requestIdleCallback(() => void wordsOf(all, site.domainName))
    return () => cancelIdleCallback(idle)
  }, [all, isLarge, site.domainName])
  const isFiltered = Boolean(typed.text || type?.length || multiCdn || tag?.length)
  // A part in its own order is true; sorted or filtered it would not be.
  const shown = isPart && (isFiltered || domain !== null || search.sort !== undefined) ? undefined : rows
  const clear = () => {
    typed.type('')
    set({ type: undefined, multiCdn: undefined, tag: undefined, page: undefined })
  }
  const touched = typeof search.history === 'string' ? search.history : null
  // A record may be gone, and its history is still there.
  const known = all?.find(({ id }) => id === touched)
  const ofRecord = touched === null ? null : { id: touched, label: known ? recordLabel(known) : t('column.name') }
  const hints = useHints(isPart || isLarge ? undefined : all, site.domainName)
  const add = () => set({ record: 'new' })
  useShortcut('c', t('add'), add, canCreate)

  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning', { site: site.domainName })}
        beside={isAnswered(site.claim) && <DeployState site={site} onHistory={() => set({ history: true })} />}
        actions={
          <>
            <ZoneFileActions site={site} isFetched={isFetched} open={search.file} onOpen={(file) => set({ file })} />
            <Button
              variant="default"
              leftSection={<IconHistory size={16} stroke={1.65} />}
              onClick={() => set({ history: true })}
            >
              {t('history')}
            </Button>
            {canCreate && (
              <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={add}>
                {t('add')}
              </Button>
            )}
          </>
        }
      />
      {!isSettled(site.claim) && <ClaimCard site={site} />}
      <ZoneStrip site={site} />
      {isFetched && (
        <Notice
          tone="info"
          title={t('fetched.title')}
          action={
            <Button
              size="xs"
              variant="default"
              onClick={() =>
                void navigate({
                  to: '/$site/{-$domain}/dns/settings',
                  params: { site: site.domainName, domain: undefined },
                })
              }
            >
              {t('fetched.settings')}
            </Button>
          }
        >
          {t('fetched.text')}
        </Notice>
      )}
      <RecordsFilter
        search={search}
        text={typed.text}
        onText={typed.type}
        onChange={(change) => set({ ...change, page: undefined })}
        records={isPart || isLarge ? NONE : (all ?? NONE)}
        total={isLarge ? site.recordCount : data?.meta.total}
        shown={isLarge || (isPart && !isFiltered && !domain) ? data?.meta.total : isPart ? undefined : rows?.length}
        onClear={isFiltered ? clear : undefined}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <RecordHints value={hints}>
          <DataTable
            fill
            label={t('tableOf', { site: site.domainName })}
            rows={shown}
            columns={columns}
            rowId={({ id }) => id}
            rowName={recordLabel}
            // As every zone file has it, apex first; of a part the order is the server's.
            sort={search.sort ?? (isPart ? undefined : 'name')}
            onSort={(sort) => set({ sort, page: undefined })}
            stale={isLarge && paged.isPlaceholderData}
            onOpen={(record) => set({ record: record.id })}
            empty={
              isFiltered ? (
                <EmptyTeach
                  title={t('noneFound')}
                  text={typed.text ? t('noneFoundFor', { text: typed.text }) : t('noneFoundText')}
                  action={
                    <Button variant="default" onClick={clear}>
                      {t('clearFilters')}
                    </Button>
                  }
                />
              ) : (
                <EmptyTeach
                  title={t('empty')}
                  text={t('emptyText')}
                  action={canCreate && <Button onClick={add}>{t('add')}</Button>}
                />
              )
            }
            {...(canCreate
              ? {
                  bulk: (selected: readonly NonNullable<typeof all>[number][], done: () => void) => (
                    <BulkActions site={site} records={selected} total={data?.meta.total ?? 0} onDone={done} />
                  ),
                }
              : {})}
          />
          {isLarge && data && (
            <RecordPages page={search.page ?? 1} total={data.meta.total} onPage={(page) => set({ page })} />
          )}
        </RecordHints>
      )}
      <RecordDrawer
        site={site}
        records={isPart ? [] : (all ?? [])}
        open={search.record}
        onClose={() => set({ record: undefined })}
      />
      <WhyPanel
        host={site.domainName}
        hosts={domains.filter(({ cdnIds }) => cdnIds.length > 0).map(({ name }) => name)}
      />
      <VersionHistory
        site={site}
        touches={ofRecord}
        opened={search.history !== undefined && search.history !== false}
        onClose={() => set({ history: undefined })}
      />
    </>
  )
}
