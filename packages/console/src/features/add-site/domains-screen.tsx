import { type FoundDomain, type Site, addSite } from '@fairway/contract'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useToggle } from '../../api/use-toggle.ts'
import { validationText } from '../../i18n/validation.ts'
import { CellSwitch } from '../../ui/data-table/cell-controls.tsx'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FilterBar } from '../../ui/filters/filter-bar.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { TypeTag } from '../../ui/marks/type-tag.tsx'
import { WizardGap } from '../../ui/page/wizard.tsx'
import classes from './add-site.module.css'
import { DeleteDraft } from './delete-draft.tsx'
import { foundDomainsRead } from './found-reads.ts'
import { StepFrame } from './step-frame.tsx'
import { useDraft } from './use-draft.ts'

/**
 * Third step: which of the names that visitors open multi-CDN shall serve. None is a fine answer; it can be switched on
 * any time.
 */
export function DomainsScreen() {
  const { t } = useTranslation('add-site')
  const draft = useDraft()
  const { site } = draft
  const { search = '' } = useSearch({ from: '/add-assets/add-site/review-domains' })
  const navigate = useNavigate({ from: '/add-site/review-domains' })
  const { data, error, refetch } = useQuery(foundDomainsRead(site.id))
  const columns = useColumns(site)
  const rows = useMemo(
    () =>
      data?.data.filter(({ name, origin }) => `${name} ${origin}`.toLowerCase().includes(search.trim().toLowerCase())),
    [data, search],
  )
  return (
    <StepFrame
      step="domains"
      draft={draft}
      title={t('domains.title')}
      meaning={t('domains.meaning')}
      footer={
        <>
          <DeleteDraft site={site} />
          <WizardGap />
          <LinkButton variant="default" to="/add-site/quick-scan" search={draft.search}>
            {t('back')}
          </LinkButton>
          <LinkButton to="/add-site/review-dns-records" search={draft.search}>
            {t('continue')}
          </LinkButton>
        </>
      }
    >
      <FilterBar
        search={search}
        onSearch={(text) => void navigate({ search: (old) => ({ ...old, search: text || undefined }), replace: true })}
        placeholder={t('filter')}
        count={t('domains.count', { count: rows?.length ?? 0 })}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className={classes.table}>
          <DataTable
            fill
            label={t('domains.table')}
            rows={rows}
            columns={columns}
            rowId={({ name }) => name}
            rowName={({ name }) => name}
            empty={<EmptyTeach title={t('domains.none')} text={t('domains.noneText')} />}
          />
        </div>
      )}
    </StepFrame>
  )
}

const column = columnsFor<FoundDomain>()

function useColumns(site: Site): Columns<FoundDomain> {
  const { t } = useTranslation(['add-site', 'validation'])
  return useMemo(
    () =>
      column.columns([
        column.accessor('type', {
          header: t('column.type'),
          enableSorting: false,
          cell: ({ row }) => <TypeTag type={row.original.type} />,
          meta: { widthPx: 90, card: 'lead' },
        }),
        column.accessor('name', {
          header: t('column.name'),
          enableSorting: false,
          cell: ({ row }) => <NameOf name={row.original.name} siteName={site.domainName} />,
          meta: { card: 'title' },
        }),
        column.accessor('origin', {
          header: t('column.origin'),
          enableSorting: false,
          cell: ({ row }) => <OriginCell domain={row.original} />,
          meta: { card: 'detail' },
        }),
        column.accessor('multiCdn', {
          header: t('column.multiCdn'),
          enableSorting: false,
          cell: ({ row }) => <DomainSwitch site={site} domain={row.original} />,
          meta: { widthPx: 110, card: 'end' },
        }),
      ]),
    [t, site],
  )
}

export function NameOf({ name, siteName }: { name: string; siteName: string }) {
  return name === '@' ? (
    <span className={classes.name}>{siteName}</span>
  ) : (
    <span>
      <span className={classes.name}>{name}</span>
      <span className={classes.suffix}>.{siteName}</span>
    </span>
  )
}

function OriginCell({ domain }: { domain: FoundDomain }) {
  const { t } = useTranslation(['add-site', 'validation'])
  return (
    <>
      <code className={classes.value} title={domain.origin}>
        {domain.origin}
      </code>
      {domain.problem && (
        <span className={classes.problem}>
          {domain.problem === 'severalAddresses' ? t('domains.several') : validationText(t, domain.problem)}
        </span>
      )}
    </>
  )
}

function DomainSwitch({ site, domain }: { site: Site; domain: FoundDomain }) {
  const { t } = useTranslation('add-site')
  const toggle = useToggle()
  const { recordId } = domain
  if (recordId === null || (domain.problem !== null && !domain.multiCdn)) return null
  return (
    <CellSwitch
      aria-label={t('domains.switch', { name: domain.name === '@' ? site.domainName : domain.name })}
      checked={domain.multiCdn}
      onChange={(event) =>
        void toggle(
          {
            route: addSite.routes.editFound,
            input: (multiCdn) => ({ site: site.id, id: recordId, multiCdn }),
            shownBy: foundDomainsRead(site.id).queryKey,
            optimistic: (now: { data: FoundDomain[] }, multiCdn) => ({
              ...now,
              data: now.data.map((row) => (row.name === domain.name ? { ...row, multiCdn } : row)),
            }),
            subject: `multi-cdn ${recordId}`,
            said: (on) => t(on ? 'domains.on' : 'domains.off', { name: domain.name }),
          },
          event.currentTarget.checked,
        )
      }
    />
  )
}
