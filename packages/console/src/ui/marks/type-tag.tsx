import type { ReactNode } from 'react'
import classes from './type-tag.module.css'

const SERIES: Record<string, string> = { A: 's1', AAAA: 's5', CNAME: 's2', MX: 's3', SRV: 's4', CAA: 'ok' }

/** A record type in its tint; types without one of their own are slate. */
export function TypeTag({ type }: { type: string }) {
  return (
    <span className={classes.tag} data-series={SERIES[type] ?? 's6'}>
      {type}
    </span>
  )
}

/** What something is, which is no state of it: *Default*, *Owner*. */
export function LabelTag({ children }: { children: ReactNode }) {
  return (
    <span className={classes.tag} data-label>
      {children}
    </span>
  )
}
