import type { ReactNode } from 'react'
import classes from './with-side.module.css'

/** A list with what narrows it at its side; above it where there is no room. */
export function WithSide({ side, children }: { side: ReactNode; children: ReactNode }) {
  return (
    <div className={classes.root}>
      {side}
      <div className={classes.main}>{children}</div>
    </div>
  )
}
