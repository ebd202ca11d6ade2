import { type FoundRecord, addSite } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Suspense, lazy, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { siteRead } from '../../shell/scope/scope.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { WizardGap } from '../../ui/page/wizard.tsx'
import classes from './add-site.module.css'
import { DeleteDraft } from './delete-draft.tsx'
import { foundRead } from './found-reads.ts'
import { StepFrame } from './step-frame.tsx'
import { useChoose } from './use-choose.ts'
import { useDraft } from './use-draft.ts'
import { useFoundColumns } from './use-found-columns.tsx'

const FoundForm = lazy(async () => ({ default: (await import('./found-form.tsx')).FoundForm }))

/** Fourth step: every record that will be served, before anything is. */
export function RecordsScreen() {
  const { t } = useTranslation(['add-site', 'validation'])
  const draft = useDraft()
  const { site } = draft
  const { search = '', record } = useSearch({ from: '/add-assets/add-site/review-dns-records' })
  const navigate = useNavigate({ from: '/add-site/review-dns-records' })
  const set = (change: { search?: string | undefined; record?: string | undefined }) =>
    void navigate({ search: (old) => ({ ...old, ...change }), replace: !('record' in change) })
  const { data, error, refetch } = useQuery(foundRead(site.id))
  const queryClient = useQueryClient()
  const publish = useChange(addSite.routes.publish, { subject: null })
  const choose = useChoose(site.id)
  const columns = useFoundColumns(site, (id) => set({ record: id }))
  const rows = useMemo(
    () =>
      data?.data.filter(({ name, value, type }) =>
        `${name} ${value} ${type}`.toLowerCase().includes(search.trim().toLowerCase()),
      ),
    [data, search],
  )
  const chosen = data?.data.filter((row) => row.chosen) ?? []
  const go = () =>
    publish.mutate(
      { site: site.id },
      {
        onSuccess: async () => {
          await queryClient.fetchQuery({ ...siteRead(site.id), staleTime: 0 })
          void navigate({ to: '/add-site/finish-setup', search: draft.search })
        },
      },
    )
  return (
    <StepFrame
      step="records"
      draft={draft}
      title={t('records.title')}
      meaning={t('records.meaning')}
      footer={
        <>
          <DeleteDraft site={site} />
          <WizardGap />
          <LinkButton variant="default" to="/add-site/review-domains" search={draft.search}>
            {t('back')}
          </LinkButton>
          <Button loading={publish.isPending} onClick={go}>
            {t('records.verb', { count: chosen.length })}
          </Button>
        </>
      }
    >
      {data?.problem && (
        <Notice tone="warn" title={t('records.clash')}>
          {validationText(t, data.problem)}
        </Notice>
      )}
      {publish.error && <FailureNotice title={t('records.failed')} error={publish.error} />}
      {data && chosen.length > data.recordQuota.total && (
        <Notice tone="warn">{t('records.quota', { total: data.recordQuota.total })}</Notice>
      )}
      <FilterBar
        search={search}
        onSearch={(text) => set({ search: text || undefined })}
        placeholder={t('filter')}
        count={t('detail.records', { count: chosen.length, total: data?.data.length ?? 0 })}
      >
        <Button
          variant="default"
          size="xs"
          leftSection={<IconPlus size={15} stroke={1.8} />}
          onClick={() => set({ record: 'new' })}
        >
          {t('records.add')}
        </Button>
      </FilterBar>
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.table}>
          <DataTable
            fill
            label={t('records.table')}
            rows={rows}
            columns={columns}
            rowId={({ id }) => id}
            rowName={({ name, type }) => `${type} ${name}`}
            onOpen={({ id }) => set({ record: id })}
            empty={<EmptyTeach title={t('records.none')} text={t('records.noneText')} />}
            bulk={(selected: readonly FoundRecord[], clear) => (
              <>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => {
                    choose(selected, true)
                    clear()
                  }}
                >
                  {t('records.choose')}
                </Button>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => {
                    choose(selected, false)
                    clear()
                  }}
                >
                  {t('records.leave')}
                </Button>
              </>
            )}
          />
        </div>
      )}
      <Suspense fallback={null}>
        {record !== undefined && (
          <FoundForm site={site} records={data?.data ?? []} open={record} onClose={() => set({ record: undefined })} />
        )}
      </Suspense>
    </StepFrame>
  )
}
