import { CdnReview, powerUps } from '@fairway/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Age } from '../../ui/marks/age.tsx'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { Facet } from '../../ui/filters/filter-bar.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { ListPage } from '../operator/list-page.tsx'
import { LIST_SIZE, orderingOf } from '../operator/list-search.ts'
import { ReviewDrawer } from './review-drawer.tsx'
import classes from './power-ups.module.css'

export const REVIEW_TONES: Record<CdnReview['state'], Tone> = { waiting: 'review', approved: 'ok', refused: 'bad' }
const STATES = CdnReview.shape.state.options
/** Columns that the API sorts by. */
const SORTED = { domain: 'domain', cdn: 'cdn', organizationName: 'organization', requestedAt: 'requested_at' }
const column = columnsFor<CdnReview>()

/** Domains that customers want to be served by CDNs which people look at first. */
export function ReviewsScreen() {
  const { t } = useTranslation('power-ups')
  const search = useSearch({ from: '/shell/operator/reviews' })
  const navigate = useNavigate({ from: '/operator/reviews' })
  const answer = useRead(
    powerUps.routes.reviews,
    {
      page_size: LIST_SIZE,
      page: search.page,
      ...orderingOf(search.sort, SORTED),
      search: search.search,
      state: search.state,
    },
    { everyMs: 10_000 },
  )
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('domain', {
          header: t('column.domain'),
          sortFn: 'alphanumeric',
          cell: ({ getValue }) => <span className={classes.strong}>{getValue()}</span>,
          meta: { leastPx: 200, card: 'title' },
        }),
        column.accessor('cdn', { header: t('column.name'), meta: { widthPx: 170, card: 'detail' } }),
        column.accessor('organizationName', { header: t('reviews.organization'), meta: { widthPx: 180 } }),
        column.accessor(({ icpNumber }) => icpNumber ?? '—', { id: 'icp', header: t('icp'), meta: { widthPx: 200 } }),
        column.accessor('state', {
          header: t('column.status'),
          cell: ({ getValue }) => <Pill tone={REVIEW_TONES[getValue()]}>{t(`reviews.state.${getValue()}`)}</Pill>,
          meta: { widthPx: 130, card: 'end' },
        }),
        column.accessor('requestedAt', {
          header: t('reviews.requested'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 120 },
        }),
      ]),
    [t],
  )
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, page: undefined, ...next }), replace: true })
  const show = (id: string | undefined) => void navigate({ search: (before) => ({ ...before, open: id }) })
  return (
    <ListPage
      title={t('reviews.title')}
      meaning={t('reviews.meaning')}
      label={t('reviews.title')}
      placeholder={t('reviews.filter')}
      search={search}
      filtered={search.state !== undefined}
      answer={answer}
      columns={columns}
      onChange={(next) => (next ? change(next) : void navigate({ search: {}, replace: true }))}
      rowId={({ id }) => id}
      rowName={({ domain, cdn }) => `${domain} · ${cdn}`}
      onOpen={({ id }) => show(id)}
      empty={{ title: t('reviews.none'), text: t('reviews.noneText') }}
      facets={
        <Facet
          single
          label={t('column.status')}
          options={STATES.map((value) => ({ value, label: t(`reviews.state.${value}`) }))}
          chosen={search.state ? [search.state] : []}
          onChange={([state]) => change({ state: STATES.find((one) => one === state) })}
        />
      }
    >
      <ReviewDrawer review={answer.data?.data.find(({ id }) => id === search.open)} onClose={() => show(undefined)} />
    </ListPage>
  )
}
