import type { ReactNode } from 'react'
import classes from './crs-rules.module.css'

/** A choice below its name, with what the chosen one means. */
export function Labelled({ label, help, children }: { label: string; help: string; children: ReactNode }) {
  return (
    <div>
      <p className={classes.label}>{label}</p>
      {children}
      <p className={classes.help}>{help}</p>
    </div>
  )
}
