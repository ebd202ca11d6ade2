import { type Format, useFormat } from '../../i18n/format.ts'
import type { MapPaint, MapRow } from './map-model.ts'
import { seriesStyle } from './series.ts'
import classes from './world-map.module.css'

type Props = {
  /** Where the pointer is on the map, and how wide the map is, px. */
  x: number
  y: number
  width: number
  country: string
  rows: readonly MapRow[]
}

/**
 * The card beside the pointer: who answers this country, and how much. The table says the same to those without a
 * pointer.
 */
export function MapTooltip({ x, y, width, country, rows }: Props) {
  const format = useFormat()
  return (
    <div className={classes.tooltipAt} style={{ transform: `translate(${x}px, ${y}px)` }} aria-hidden="true">
      <div className={classes.tooltip} data-left={x > width * 0.6 || undefined}>
        <div className={classes.tooltipTitle}>{format.country(country)}</div>
        {rows.map(({ key, name, series, text }) => (
          <div key={key} className={classes.tooltipRow} style={seriesStyle(series)}>
            <span className={classes.dot} />
            <span className={classes.tooltipName}>{name}</span>
            <span className={`${classes.tooltipText} num`}>{text}</span>
          </div>
        ))}
      </div>
    </div>
  )
}

/** Each CDN's part of a country, then its figure. */
export function shareRows(
  { shares, total }: MapPaint,
  format: Format,
  formatValue: (value: number) => string,
): MapRow[] {
  return shares.map(({ key, name, series, value }) => ({
    key,
    name,
    series,
    text: `${format.percent(Math.round((value / total) * 100))} · ${formatValue(value)}`,
  }))
}
