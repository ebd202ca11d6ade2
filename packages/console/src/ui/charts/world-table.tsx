import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import type { MapPaint } from './map-model.ts'
import { shareRows } from './map-tooltip.tsx'
import { seriesStyle } from './series.ts'
import type { WorldMapProps } from './world-map-props.ts'
import classes from './world-map.module.css'

/** The map's figures as a table; choosing a country here is the keyboard's way of clicking on it. */
export function WorldTable({
  name,
  paints,
  onSelect,
  selected,
  selectLabel,
  describe,
  formatValue,
}: WorldMapProps & { paints: ReadonlyMap<string, MapPaint> }) {
  const { t } = useTranslation('charts')
  const format = useFormat()
  const rows = [...paints].sort(([, a], [, b]) => b.total - a.total)
  return (
    <div className={classes.tableBox} tabIndex={0} role="group" aria-label={name}>
      <table className={classes.table}>
        <caption className="sr-only">{name}</caption>
        <thead>
          <tr>
            <th scope="col">{t('country')}</th>
            <th scope="col">{t('cdns')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(([country, paint]) => (
            <tr key={country} data-selected={country === selected || undefined}>
              <th scope="row">
                {onSelect ? (
                  <button
                    type="button"
                    className={classes.choose}
                    onClick={() => onSelect(country)}
                    title={selectLabel?.(country)}
                    aria-pressed={selectLabel ? undefined : country === selected}
                  >
                    {format.country(country)}
                  </button>
                ) : (
                  format.country(country)
                )}
              </th>
              <td>
                <ul className={classes.tableShares}>
                  {(describe?.(country) ?? shareRows(paint, format, formatValue)).map(
                    ({ key, name: cdn, series, text }) => (
                      <li key={key} style={seriesStyle(series)}>
                        <span className={classes.dot} aria-hidden="true" />
                        {cdn} <span className={`${classes.tooltipText} num`}>{text}</span>
                      </li>
                    ),
                  )}
                </ul>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
