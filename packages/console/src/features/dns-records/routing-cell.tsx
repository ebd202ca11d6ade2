import type { DnsRecord } from '@fairway/contract'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { seriesStyle } from '../../ui/charts/series.ts'
import { cdnsRead } from './reads.ts'
import classes from './routing-cell.module.css'

/** The CDNs that may answer for a steered name, each in its colour; *Direct* for a name that could be steered and is not. */
export function RoutingCell({ record }: { record: DnsRecord }) {
  const { t } = useTranslation('dns-records')
  if (record.multiCdn) return <Steered cdnIds={record.cdnIds} />
  return <span className={classes.none}>{record.type === 'A' || record.type === 'AAAA' || record.type === 'CNAME' ? t('direct') : '—'}</span>
}

function Steered({ cdnIds }: Pick<DnsRecord, 'cdnIds'>) {
  const { t } = useTranslation('dns-records')
  const { data } = useQuery(cdnsRead)
  const cdns = cdnIds.map((id) => data?.data.find((cdn) => cdn.id === id) ?? { id, name: id, series: 6 })
  return (
    <span className={classes.routing} title={cdns.map(({ name }) => name).join('\n')}>
      {cdns.length > 0 && <span className={classes.bar} aria-hidden>{cdns.map(({ id, series }) => <span key={id} className={classes.part} style={seriesStyle(series)} />)}</span>}
      <span className={classes.count}>{t('cdns', { count: cdns.length })}</span>
    </span>
  )
}
