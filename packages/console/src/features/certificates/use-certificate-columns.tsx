import type { Certificate } from '@fairway/contract'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { type Columns, columnsFor } from '../../ui/data-table/table-model.ts'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import classes from './certificates.module.css'

const column = columnsFor<Certificate>()
const DAY_MS = 86_400_000

export function useCertificateColumns(withSite: boolean): Columns<Certificate> {
  const { t } = useTranslation('certificates')
  return useMemo(
    () =>
      column.columns([
        column.accessor('commonName', {
          header: t('column.name'),
          cell: ({ row }) => <Names certificate={row.original} />,
          meta: { leastPx: 220, card: 'title' },
        }),
        ...(withSite
          ? [column.accessor('siteName', { header: t('column.site'), meta: { widthPx: 200, card: 'detail' } })]
          : []),
        column.accessor('type', {
          header: t('column.type'),
          cell: ({ row }) => t(`type.${row.original.type}`),
          meta: { widthPx: 160, card: 'detail' },
        }),
        column.accessor('status', {
          header: t('column.status'),
          cell: ({ row }) => <State certificate={row.original} />,
          meta: { widthPx: 230, card: 'end' },
        }),
        column.accessor((row) => row.details?.notAfter ?? '', {
          id: 'expires',
          header: t('column.expires'),
          cell: ({ row }) => <Expiry certificate={row.original} />,
          meta: { widthPx: 190, card: 'detail' },
        }),
      ]),
    [t, withSite],
  )
}

function Names({ certificate: { names, commonName } }: { certificate: Certificate }) {
  const { t } = useTranslation('certificates')
  return (
    <span title={names.join('\n')}>
      <span className={classes.name}>{commonName}</span>
      {names.length > 1 && <span className={classes.more}>{t('more', { count: names.length - 1 })}</span>}
    </span>
  )
}

function State({ certificate: { status, step, problem } }: { certificate: Certificate }) {
  const { t } = useTranslation('certificates')
  return (
    <span className={classes.state}>
      <StatusPill state={status} />
      {step !== null && status !== 'inactive' && status !== 'waiting' && (
        <span className={classes.step}>{problem !== null && step === 'deploy' ? t('refused') : t(`step.${step}`)}</span>
      )}
      {status === 'inactive' && problem !== null && (
        <span className={classes.step} title={problem}>
          {t(step === 'deploy' ? 'refused' : 'notIssued')}
        </span>
      )}
    </span>
  )
}

function Expiry({ certificate: { details, status, nextAt } }: { certificate: Certificate }) {
  const { t } = useTranslation('certificates')
  const format = useFormat()
  if (!details) return '—'
  const at = Date.parse(details.notAfter)
  const days = Math.ceil((at - Date.now()) / DAY_MS)
  return (
    <span className={classes.expiry} title={format.exact(at)}>
      {format.date(at)}
      <span className={classes.step}>
        {days > 0 ? t('days', { count: days }) : t('ended')}
        {status === 'active' && nextAt !== null && ` · ${t('renews', { date: format.date(Date.parse(nextAt)) })}`}
      </span>
    </span>
  )
}
