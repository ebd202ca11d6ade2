import { billing } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import classes from './billing.module.css'
import { useMoney } from './use-money.ts'

/** The usage that made a line, by day and place, and the line worked out again from it. */
export function LineUsageView({ id, number }: { id: string; number: number }) {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const { data, error, refetch } = useRead(billing.routes.lineUsage, { id, number: String(number) })
  const money = useMoney(data?.currency ?? 'USD')
  if (error && !data)
    return (
      <div className={classes.usage}>
        <ErrorState error={error} onRetry={() => void refetch()} />
      </div>
    )
  if (!data)
    return (
      <div className={classes.usage}>
        <Skeleton height={120} />
      </div>
    )
  const amount = data.meter === 'cdnTraffic' ? format.bytes : format.number
  return (
    <div className={classes.usage}>
      <p>
        {t('line.recomputed', { total: amount(data.total), amount: money(data.recomputedMinor) })}{' '}
        {data.loggedNow === null ? t('line.logsGone') : t('line.logsSay', { logged: amount(data.loggedNow) })}
      </p>
      <div className={classes.scroll} tabIndex={0} role="region" aria-label={t('line.explain')}>
        <table className={classes.table}>
          <thead>
            <tr>
              <th scope="col">{t('column.day')}</th>
              <th scope="col">{t('column.site')}</th>
              <th scope="col">{t('column.cdn')}</th>
              <th scope="col">{t('column.used')}</th>
            </tr>
          </thead>
          <tbody>
            {data.rows.map((row) => (
              <tr key={`${row.day} ${row.site} ${row.domain} ${row.cdn}`}>
                <td>{row.day}</td>
                <td>{row.domain || row.site}</td>
                <td>{row.cdn || '—'}</td>
                <td>{amount(row.used)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}
