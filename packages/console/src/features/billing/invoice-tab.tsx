import { type InvoiceRow, billing } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useMemo, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { DataTable } from '../../ui/data-table/data-table.tsx'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import classes from './billing.module.css'
import type { BillingSearch } from './search.ts'
import { useMoney } from './use-money.ts'

const InvoiceDrawer = onDemand(async () => (await import('./invoice-drawer.tsx')).InvoiceDrawer)
const STATUSES = ['all', 'posted', 'unpaid', 'paid'] as const
const column = columnsFor<InvoiceRow>()

type InvoiceTabProps = { search: BillingSearch; onChange: (change: Partial<BillingSearch>) => void }

/** Every invoice, newest first; each opens with what stands behind it. */
export function InvoiceTab({ search: { status, invoice }, onChange }: InvoiceTabProps) {
  const { t } = useTranslation('billing')
  const { data, error, isPlaceholderData, refetch } = useRead(billing.routes.invoices, {
    page_size: -1,
    ...(status ? { status } : {}),
  })
  const columns = useInvoiceColumns(data?.data[0]?.currency ?? 'USD', (id) => onChange({ invoice: id }))
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <div className={classes.stack}>
      <div>
        <Segmented
          label={t('invoices.show')}
          value={status ?? 'all'}
          onChange={(next) => onChange({ status: next === 'all' ? undefined : next })}
          options={STATUSES.map((value) => ({ value, label: t(`status.${value}`) }))}
        />
      </div>
      <DataTable
        label={t('tab.invoice')}
        rows={data?.data}
        columns={columns}
        rowId={(row) => row.id}
        rowName={(row) => row.number}
        onOpen={(row) => onChange({ invoice: row.id })}
        stale={isPlaceholderData}
        empty={
          status === undefined ? (
            <EmptyTeach title={t('invoices.none')} text={t('invoices.noneText')} />
          ) : (
            <EmptyTeach
              title={t('invoices.noneSuch')}
              action={
                <Button variant="default" size="xs" onClick={() => onChange({ status: undefined })}>
                  {t('invoices.showAll')}
                </Button>
              }
            />
          )
        }
      />
      <InvoiceDrawer opened={invoice !== undefined} id={invoice} onClose={() => onChange({ invoice: undefined })} />
    </div>
  )
}

function useInvoiceColumns(currency: string, onOpen: (id: string) => void): Columns<InvoiceRow> {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const money = useMoney(currency)
  const open = useRef(onOpen)
  open.current = onOpen
  return useMemo(
    () =>
      column.columns([
        column.accessor('number', {
          header: t('column.number'),
          sortFn: 'alphanumeric',
          cell: ({ row }) => (
            <button type="button" className={classes.link} onClick={() => open.current(row.original.id)}>
              {row.original.number}
            </button>
          ),
          meta: { card: 'title' },
        }),
        column.accessor('date', {
          header: t('column.date'),
          sortFn: 'text',
          cell: ({ row }) => <span className={classes.number}>{format.date(Date.parse(row.original.date))}</span>,
          meta: { widthPx: 150, card: 'detail' },
        }),
        column.accessor('kind', {
          header: t('column.for'),
          sortFn: 'text',
          cell: ({ row }) => t(`kind.${row.original.kind}`),
          meta: { card: 'detail' },
        }),
        column.accessor('amountMinor', {
          header: t('column.amount'),
          cell: ({ row }) => <span className={classes.number}>{money(row.original.amountMinor)}</span>,
          meta: { widthPx: 150, align: 'end', card: 'end' },
        }),
        column.accessor('status', {
          header: t('column.status'),
          sortFn: 'text',
          cell: ({ row }) => <StatusPill state={row.original.status} />,
          meta: { widthPx: 130, card: 'lead' },
        }),
      ]),
    [t, format, money],
  )
}
