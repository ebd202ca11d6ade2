import { useFormat } from '../../i18n/format.ts'
import { cssProperties, seriesColor } from './series.ts'
import classes from './share-bar.module.css'

export type Share = { key: string; name: string; series: number; percent: number }

type Props = {
  shares: readonly Share[]
  /** `small` fits a table row, `large` a card. */
  size?: 'small' | 'large'
  /** What the shares are of; the screen reader hears it before the names. */
  label: string
}

/**
 * CDN shares in their series colours. Says its shares to screen readers; whoever sees has the names beside it or in the
 * tooltip.
 */
export function ShareBar({ shares, size = 'small', label }: Props) {
  const format = useFormat()
  const shown = shares.filter(({ percent }) => percent > 0)
  const words = format.list(shown.map(({ name, percent }) => `${name} ${format.percent(percent)}`))
  return (
    <span
      role="img"
      aria-label={`${label}: ${words}`}
      title={words}
      className={classes.root}
      data-size={size}
      data-empty={shown.length === 0 || undefined}
    >
      {shown.map(({ key, series, percent }) => (
        <span
          key={key}
          className={classes.part}
          style={cssProperties({ '--series': seriesColor(series), '--share': percent })}
        />
      ))}
    </span>
  )
}
