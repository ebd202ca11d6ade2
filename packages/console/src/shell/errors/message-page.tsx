import type { ReactNode } from 'react'
import { usePageTitle } from '../../ui/page/page-header.tsx'
import classes from './error-page.module.css'

type MessagePageProps = {
  title: string
  icon?: ReactNode
  text?: string
  children?: ReactNode
  /** Buttons and links. */ actions?: ReactNode
}

/** One thing to say in the middle of a page. */
export function MessagePage({ title, icon, text, children, actions }: MessagePageProps) {
  usePageTitle(title)
  return (
    <div className={classes.page}>
      {icon}
      <h1 className={classes.title}>{title}</h1>
      {text !== undefined && <p className={classes.advice}>{text}</p>}
      {children}
      {actions !== undefined && <div className={classes.actions}>{actions}</div>}
    </div>
  )
}
