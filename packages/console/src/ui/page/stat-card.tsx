import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react'
import type { CSSProperties, ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Sparkline } from '../charts/sparkline.tsx'
import classes from './stat-card.module.css'

export type Stat = {
  label: ReactNode
  /** Tells figures apart whose label is not a text. */
  id?: string
  /** Formatted; `—` when there is none, null until it is known. */
  value: ReactNode
  /**
   * Against the window before: formatted, its direction, and whether that is good (latency down is); null when neither
   * is.
   */
  delta?: { text: string; direction: 'up' | 'down'; isGood: boolean | null }
  /** Its room is kept even while there is nothing to draw. */
  trend?: readonly (number | null)[]
  /** Series colour of the trend (`seriesStyle(n)`); the brand without it. */
  style?: CSSProperties
  /** Small print under the value. */
  note?: ReactNode
}

const TREND_PX = 30

/** Four or five key figures in one card. */
export function StatRow({ label, stats }: { label: string; stats: readonly Stat[] }) {
  return (
    <dl className={classes.row} aria-label={label}>
      {stats.map((stat) => (
        <StatCard key={stat.id ?? String(stat.label)} {...stat} />
      ))}
    </dl>
  )
}

function StatCard({ label, value, delta, trend, style, note }: Stat) {
  const { t } = useTranslation('shell')
  const Arrow = delta?.direction === 'up' ? IconArrowUpRight : IconArrowDownRight
  return (
    <div className={classes.stat}>
      <dt className={classes.label}>{label}</dt>
      <dd className={classes.line}>
        <span className={classes.value}>{value ?? <span className={classes.unknown} />}</span>
        {delta && (
          <span className={classes.delta} data-good={delta.isGood ?? 'neither'}>
            <Arrow size={12} stroke={2} aria-label={t(`delta.${delta.direction}`)} />
            {delta.text}
          </span>
        )}
      </dd>
      {note !== undefined && <dd className={classes.note}>{note}</dd>}
      {trend && (
        <dd className={classes.trend}>
          {trend.length > 1 && <Sparkline values={trend} height={TREND_PX} {...(style ? { style } : {})} />}
        </dd>
      )}
    </div>
  )
}
