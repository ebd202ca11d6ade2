import { IconAlertTriangle, IconCircleX, IconInfoCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './notice.module.css'

const ICONS = { info: IconInfoCircle, warn: IconAlertTriangle, bad: IconCircleX } as const

type NoticeProps = { tone: keyof typeof ICONS; title?: string; action?: ReactNode; children?: ReactNode }

/** A quiet box in the page or a form: something to know before going on. */
export function Notice({ tone, title, action, children }: NoticeProps) {
  const Icon = ICONS[tone]
  return (
    <div className={classes.notice} data-tone={tone} role={tone === 'bad' ? 'alert' : 'note'}>
      <Icon className={classes.icon} size={17} stroke={1.8} aria-hidden />
      <div className={classes.words}>
        {title !== undefined && <p className={classes.title}>{title}</p>}
        {children !== undefined && <div className={classes.text}>{children}</div>}
      </div>
      {action}
    </div>
  )
}
