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
