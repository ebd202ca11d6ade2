import { type CdnOffer, powerUps } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { columnsFor } from '../../ui/data-table/table-model.ts'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { ListPage } from '../operator/list-page.tsx'
import classes from './power-ups.module.css'

const OfferDrawer = onDemand(async () => (await import('./offer-drawer.tsx')).OfferDrawer)
const column = columnsFor<CdnOffer>()

/** CDNs that organisations may have beside those that all have. */
export function OffersScreen() {
  const { t } = useTranslation(['power-ups', 'cdn-management'])
  const format = useFormat()
  const search = useSearch({ from: '/shell/operator/cdn-offers' })
  const navigate = useNavigate({ from: '/operator/cdn-offers' })
  const { data, ...answer } = useRead(powerUps.routes.offers, {})
  const words = (search.search ?? '').toLowerCase()
  const rows = useMemo(
    () => data?.data.filter(({ name, id }) => `${name} ${id}`.toLowerCase().includes(words)),
    [data, words],
  )
  const columns = useMemo(
    () =>
      column.columns([
        column.accessor('name', {
          header: t('power-ups:column.name'),
          sortFn: 'alphanumeric',
          cell: ({ row: { original } }) => (
            <span>
              <span className={classes.strong}>{original.name}</span>{' '}
              <span className={classes.quiet}>{original.id}</span>
            </span>
          ),
          meta: { leastPx: 200, card: 'title' },
        }),
        column.accessor('category', {
          header: t('power-ups:column.category'),
          cell: ({ getValue }) => t(`power-ups:category.${getValue()}`),
          meta: { widthPx: 150, card: 'detail' },
        }),
        column.accessor('driver', {
          header: t('power-ups:offers.driver'),
          cell: ({ row: { original } }) => (
            <>
              {t(`power-ups:offers.drivers.${original.driver}`)}
              {original.cname !== null && <span className={classes.quiet}> {original.cname}</span>}
            </>
          ),
          meta: { leastPx: 160 },
        }),
        column.accessor('review', {
          header: t('power-ups:offers.review'),
          cell: ({ getValue }) => (getValue() ? <Pill tone="review">{t('power-ups:feature.review')}</Pill> : '—'),
          meta: { widthPx: 190 },
        }),
        column.accessor('installs', {
          header: t('power-ups:offers.installs'),
          cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
          meta: { widthPx: 100, align: 'end' },
        }),
        column.accessor('offered', {
          header: t('power-ups:column.status'),
          cell: ({ getValue }) => (
            <Pill tone={getValue() ? 'ok' : 'neutral'}>
              {t(getValue() ? 'power-ups:offers.isOffered' : 'power-ups:offers.isWithdrawn')}
            </Pill>
          ),
          meta: { widthPx: 120, card: 'end' },
        }),
      ]),
    [t, format],
  )
  const change = (next: Partial<typeof search>) =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: true })
  const close = () => change({ open: undefined })
  return (
    <ListPage
      title={t('power-ups:offers.title')}
      meaning={t('power-ups:offers.meaning')}
      label={t('power-ups:offers.title')}
      placeholder={t('power-ups:offers.filter')}
      search={search}
      filtered={false}
      columns={columns}
      answer={{ ...answer, data: rows && { data: rows, meta: { total: rows.length } } }}
      actions={
        <Button leftSection={<IconPlus size={16} stroke={1.9} />} onClick={() => change({ open: 'new' })}>
          {t('power-ups:offers.add')}
        </Button>
      }
      onChange={(next) => (next ? change(next) : void navigate({ search: {}, replace: true }))}
      rowId={({ id }) => id}
      rowName={({ name }) => name}
      onOpen={({ id }) => change({ open: id })}
      empty={{ title: t('power-ups:offers.none'), text: t('power-ups:offers.noneText') }}
    >
      <OfferDrawer
        key={search.open ?? 'closed'}
        opened={search.open === 'new' || data?.data.some(({ id }) => id === search.open) === true}
        offer={data?.data.find(({ id }) => id === search.open) ?? null}
        onClose={close}
      />
    </ListPage>
  )
}
