import type { ReactNode } from 'react'
import classes from './screen.module.css'

type SettingRowProps = { name: ReactNode; text?: ReactNode; more?: ReactNode; children?: ReactNode }

/** One thing of a list in a card: what it is, a line about it, what can be done. */
export function SettingRow({ name, text, more, children }: SettingRowProps) {
  return (
    <li className={classes.row}>
      <div className={classes.rowWords}>
        <div className={classes.rowName}>{name}</div>
        {text !== undefined && <div className={classes.rowText}>{text}</div>}
        {more !== undefined && (
          <div className={classes.rowText} data-quiet>
            {more}
          </div>
        )}
      </div>
      {children !== undefined && <div className={classes.rowActions}>{children}</div>}
    </li>
  )
}
