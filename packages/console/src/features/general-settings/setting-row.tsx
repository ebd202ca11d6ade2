import type { ReactNode } from 'react'
import classes from './screen.module.css'

/** One setting: what it is, what it does, and the control beside it. */
export function SettingRow({
  name,
  why,
  beside,
  children,
}: {
  name: string
  why: string
  beside?: ReactNode
  children: ReactNode
}) {
  return (
    <li className={classes.row}>
      <div className={classes.words}>
        <p className={classes.name}>
          {name} {beside}
        </p>
        <p className={classes.why}>{why}</p>
      </div>
      {children}
    </li>
  )
}
