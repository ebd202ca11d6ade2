import { UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import classes from './time-series.module.css'
import { type ChartLine, momentsOf } from './time-series-model.ts'

type Props = {
  name: string
  lines: readonly ChartLine[]
  formatValue: (value: number) => string
  formatMoment: (at: number) => string
  onPoint?: ((at: number) => void) | undefined
}

/** A chart's figures, newest first. */
export function TimeSeriesTable({ name, lines, formatValue, formatMoment, onPoint }: Props) {
  const { t } = useTranslation('charts')
  const format = useFormat()
  const byMoment = lines.map(({ points }) => new Map(points.map((point) => [point.at, point])))
  return (
    // Scrolls, so the keyboard must reach it.
    <div className={classes.tableBox} tabIndex={0} role="group" aria-label={name}>
      <table className={classes.table}>
        <caption className="sr-only">{name}</caption>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            {lines.map(({ key, name: lineName }) => (
              <th key={key} scope="col" data-number>
                {lineName}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {momentsOf(lines)
            .reverse()
            .map((at) => (
              <tr key={at}>
                <th scope="row" className="num">
                  {onPoint ? (
                    <UnstyledButton className={classes.point} onClick={() => onPoint(at)}>
                      {formatMoment(at)}
                    </UnstyledButton>
                  ) : (
                    formatMoment(at)
                  )}
                </th>
                {byMoment.map((points, index) => {
                  const point = points.get(at)
                  const samples =
                    point && point.samples > 0
                      ? t('samples', { count: point.samples, number: format.number(point.samples) })
                      : undefined
                  return (
                    <td key={lines[index]?.key} className="num" data-number title={samples}>
                      {point === undefined || point.value === null ? '—' : formatValue(point.value)}
                    </td>
                  )
                })}
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  )
}
