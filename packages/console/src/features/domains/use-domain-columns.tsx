import type { DomainOfSite } from '@fairway/contract'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { CdnName, CdnSquares } from '../../ui/marks/cdn-name.tsx'
import { Pill, StatusPill } from '../../ui/marks/status-pill.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './domains.module.css'

const column = columnsFor<DomainOfSite>()
/** More CDNs than these stand as squares: their names would break every other row in two. */
const MOST_NAMED = 2

export function useDomainColumns(): Columns<DomainOfSite> {
  const { t } = useTranslation('domains')
  return useMemo(
    () =>
      column.columns([
        column.accessor('name', {
          header: t('column.name'),
          cell: ({ row: { original } }) => (
            <Link
              className={classes.link}
              to="/$site/{-$domain}/home"
              params={{ site: original.siteName, domain: original.name }}
            >
              {original.name}
            </Link>
          ),
          meta: { leastPx: 200, card: 'title' },
        }),
        column.accessor('cdnStatus', {
          header: t('column.status'),
          cell: ({ row: { original } }) => {
            if (original.siteParked) return <Pill tone="bad">{t('notServed')}</Pill>
            return <StatusPill state={original.cdnStatus} />
          },
          meta: { widthPx: 150, card: 'end' },
        }),
        column.accessor((row) => row.cdnIds.length, {
          id: 'cdns',
          header: t('column.cdns'),
          cell: ({ row }) => <Cdns ids={row.original.cdnIds} />,
          meta: { leastPx: 180, card: 'detail' },
        }),
        column.accessor((row) => row.origin.address, {
          id: 'origin',
          header: t('column.origin'),
          cell: ({ row }) => (
            <code className={classes.origin} title={row.original.origin.address}>
              {row.original.origin.address}
            </code>
          ),
          meta: { widthPx: 180, card: 'detail' },
        }),
        column.accessor((row) => row.settings.tags.join(' '), {
          id: 'tags',
          header: t('column.tags'),
          cell: ({ row }) =>
            row.original.settings.tags.length === 0 ? (
              '—'
            ) : (
              <span className={classes.tags}>
                {row.original.settings.tags.map((tag) => (
                  <span key={tag} className={classes.tag}>
                    {tag}
                  </span>
                ))}
              </span>
            ),
          meta: { widthPx: 160 },
        }),
      ]),
    [t],
  )
}

function Cdns({ ids }: { ids: readonly string[] }) {
  const { lookOf } = useCdnLooks()
  if (ids.length === 0) return '—'
  if (ids.length > MOST_NAMED) return <CdnSquares cdns={ids.map(lookOf)} />
  return (
    <span className={classes.cdns}>
      {ids.map((id) => (
        <CdnName key={id} name={lookOf(id).name} series={lookOf(id).series} />
      ))}
    </span>
  )
}
