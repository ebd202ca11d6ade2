import type { IconEye } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './banners.module.css'

export function Banner({
  tone,
  icon: Icon,
  action,
  children,
}: {
  tone: 'warn' | 'info'
  icon: typeof IconEye
  action?: ReactNode
  children: ReactNode
}) {
  return (
    <div className={classes.banner} data-tone={tone}>
      <Icon className={classes.icon} size={16} stroke={1.65} aria-hidden />
      <p className={classes.text}>{children}</p>
      {action}
    </div>
  )
}
