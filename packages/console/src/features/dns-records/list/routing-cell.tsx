import type { DnsRecord } from '@fairway/contract'
import { useQuery } from '@tanstack/react-query'
import { seriesStyle } from '../../../ui/charts/series.ts'
import { cdnsRead } from '../reads.ts'
import type { RecordWords } from '../use-record-words.ts'
import classes from './routing-cell.module.css'

/**
 * The CDNs that may answer for a steered name, each in its colour; *Direct* for a name that could be steered and is
 * not.
 */
export function RoutingCell({ record, words }: { record: DnsRecord; words: RecordWords }) {
  if (record.multiCdn) return <Steered cdnIds={record.cdnIds} words={words} />
  return (
    <span className={classes.none}>
      {record.type === 'A' || record.type === 'AAAA' || record.type === 'CNAME' ? words.direct : '—'}
    </span>
  )
}

function Steered({ cdnIds, words }: Pick<DnsRecord, 'cdnIds'> & { words: RecordWords }) {
  const { data } = useQuery(cdnsRead)
  const cdns = cdnIds.map((id) => data?.data.find((cdn) => cdn.id === id) ?? { id, name: id, series: 6 })
  return (
    <span className={classes.routing} title={cdns.map(({ name }) => name).join('\n')}>
      {cdns.length > 0 && (
        <span className={classes.bar} aria-hidden>
          {cdns.map(({ id, series }) => (
            <span key={id} className={classes.part} style={seriesStyle(series)} />
          ))}
        </span>
      )}
      <span className={classes.count}>{words.cdns(cdns.length)}</span>
    </span>
  )
}
