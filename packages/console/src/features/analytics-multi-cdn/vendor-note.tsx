import type { TrafficReport } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Notice } from '../../ui/page/notice.tsx'
import classes from './screen.module.css'
import { useValueName } from './use-value-name.ts'

/**
 * How far the figures of CDNs reach that only their vendors know, and what a filter leaves out because they do not
 * tell.
 */
export function VendorNote({ report: { vendors, totals } }: { report: TrafficReport }) {
  const { t } = useTranslation('analytics-multi-cdn')
  const format = useFormat()
  const { cdnOf } = useValueName()
  if (vendors.length === 0 && totals.leftOut === 0 && totals.leftOutBytes === 0) return null
  return (
    <Notice tone={vendors.some(({ problem }) => problem !== null) ? 'warn' : 'info'} title={t('vendors.title')}>
      {vendors.length > 0 && (
        <ul className={classes.vendors}>
          {vendors.map(({ cdnId, readUntil, problem }) => (
            <li key={cdnId} title={format.exact(Date.parse(readUntil))}>
              {t(problem === null ? 'vendors.until' : 'vendors.failing', {
                cdn: cdnOf(cdnId).name,
                time: format.dateTime(Date.parse(readUntil)),
                problem,
              })}
            </li>
          ))}
        </ul>
      )}
      <p className={classes.vendorText}>
        {t('vendors.text')}{' '}
        {(totals.leftOut > 0 || totals.leftOutBytes > 0) &&
          t('leftOut', { requests: format.number(totals.leftOut), bytes: format.bytes(totals.leftOutBytes) })}
      </p>
    </Notice>
  )
}
