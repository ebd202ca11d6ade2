import { useFormat } from '../../i18n/format.ts'
import { seriesStyle } from '../charts/series.ts'
import classes from './cdn-name.module.css'

type CdnNameProps = { name: string; series: number; strong?: boolean }

/** A CDN with the dot of its series colour. */
export function CdnName({ name, series, strong = false }: CdnNameProps) {
  return (
    <span className={classes.root} data-strong={strong || undefined} style={seriesStyle(series)} title={name}>
      <span className={classes.dot} aria-hidden="true" />
      <span className={classes.name}>{name}</span>
    </span>
  )
}

/** Several CDNs where there is no room for their names: squares of their colours, the names on hover. */
export function CdnSquares({ cdns }: { cdns: readonly { id: string; name: string; series: number }[] }) {
  const format = useFormat()
  const names = format.list(cdns.map(({ name }) => name))
  return (
    <span className={classes.squares} role="img" aria-label={names} title={names}>
      {cdns.map(({ id, series }) => (
        <span key={id} className={classes.square} style={seriesStyle(series)} />
      ))}
      <span className={`${classes.many} num`} aria-hidden="true">
        {format.number(cdns.length)}
      </span>
    </span>
  )
}
