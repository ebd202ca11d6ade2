import type { ApiEndpoint, EndpointState } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { Age } from '../../ui/marks/age.tsx'
import type { Tone } from '../../ui/marks/states.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './api-schema.module.css'

export const TONES: Record<EndpointState, Tone> = {
  learning: 'info',
  known: 'ok',
  'in-force': 'ok',
  new: 'warn',
  gone: 'neutral',
  ignored: 'neutral',
}

export function useEndpointColumns(): Columns<ApiEndpoint> {
  const { t } = useTranslation('api-schema')
  const format = useFormat()
  return useMemo(() => {
    const column = columnsFor<ApiEndpoint>()
    return column.columns([
      column.accessor('method', {
        header: t('column.method'),
        meta: { widthPx: 92, card: 'lead' },
        cell: ({ getValue }) => <span className={classes.mono}>{getValue()}</span>,
      }),
      column.accessor('path', {
        header: t('column.path'),
        meta: { leastPx: 240, card: 'title' },
        cell: ({ getValue }) => <span className={classes.mono}>{getValue()}</span>,
      }),
      column.accessor('parameters', {
        header: t('column.parameters'),
        meta: { widthPx: 116, align: 'end' },
        cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
      }),
      column.accessor('seen', {
        header: t('column.seen'),
        meta: { widthPx: 104, align: 'end', card: 'detail' },
        cell: ({ getValue }) => <span className="num">{format.number(getValue())}</span>,
      }),
      column.accessor('lastAt', {
        header: t('column.lastAt'),
        meta: { widthPx: 132 },
        cell: ({ row: { original } }) => (original.lastAt === null ? t('never') : <Age at={original.lastAt} />),
      }),
      column.accessor('state', {
        header: t('column.state'),
        meta: { widthPx: 132, card: 'end' },
        cell: ({ row: { original } }) => <Pill tone={TONES[original.state]}>{t(`state.${original.state}`)}</Pill>,
      }),
    ])
  }, [t, format])
}
