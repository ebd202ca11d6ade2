import type { ReactNode } from 'react'
import classes from './breakdown.module.css'

type Props = {
  /** What the reader tells apart by. */
  choice: ReactNode
  chart: ReactNode
  /** Shares of the same, from edge to edge. */
  table: ReactNode
  /** Shown until there is an answer, or instead of one. */
  instead?: ReactNode
  /** The answer to an earlier question, while the new one is on its way. */
  stale: boolean
}

/** In a card: a figure over time, told apart by a choice, with the shares below. */
export function Breakdown({ choice, chart, table, instead, stale }: Props) {
  return (
    <div className={classes.root}>
      <div className={classes.choice}>{choice}</div>
      {instead ?? (
        <div data-stale={stale || undefined} className={classes.answer}>
          <div className={classes.chart}>{chart}</div>
          {table}
        </div>
      )}
    </div>
  )
}
