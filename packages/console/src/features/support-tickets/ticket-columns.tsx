import type { Ticket, TicketState } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { Age } from '../../ui/marks/age.tsx'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './support-tickets.module.css'

export const TICKET_STATES: readonly TicketState[] = ['open', 'answered', 'closed']
const TONES: Record<TicketState, Tone> = { open: 'warn', answered: 'ok', closed: 'neutral' }
const column = columnsFor<Ticket>()

export function TicketPill({ state }: { state: TicketState }) {
  const { t } = useTranslation('support-tickets')
  return <Pill tone={TONES[state]}>{t(`states.${state}`)}</Pill>
}

/** Columns of a list of tickets; whose they are matters only to those who answer. */
export function useTicketColumns(forSupport: boolean): Columns<Ticket> {
  const { t } = useTranslation('support-tickets')
  return useMemo(
    () =>
      column.columns([
        column.accessor('subject', {
          header: t('subject'),
          sortFn: 'alphanumeric',
          cell: ({ row: { original } }) => (
            <span className={classes.words}>
              <span className={classes.strong}>{original.subject}</span>{' '}
              <span className={classes.number}>#{original.ticketId}</span>{' '}
              {original.priority && <Pill tone="info">{t('priority')}</Pill>}
            </span>
          ),
          meta: { leastPx: 240, card: 'title' },
        }),
        ...(forSupport
          ? [
              column.accessor('organizationName', { header: t('organization'), meta: { widthPx: 160 } }),
              column.accessor('planName', { header: t('plan'), meta: { widthPx: 120 } }),
            ]
          : []),
        column.accessor('domain', {
          header: t('domain'),
          cell: ({ getValue }) => getValue() ?? '—',
          meta: { widthPx: 180, card: 'detail' },
        }),
        column.accessor('author', { header: t('author'), meta: { widthPx: 190 } }),
        column.accessor('state', {
          header: t('state'),
          cell: ({ getValue }) => <TicketPill state={getValue()} />,
          meta: { widthPx: 120, card: 'end' },
        }),
        column.accessor('modifiedAt', {
          header: t('changed'),
          cell: ({ getValue }) => <Age at={getValue()} />,
          meta: { widthPx: 130, card: 'detail' },
        }),
      ]),
    [t, forSupport],
  )
}
