import { type ReactNode, createContext, use, useEffect } from 'react'
import classes from './page-header.module.css'

type PageHeaderProps = {
  title: string
  /** One line: what this page is for. */
  meaning?: ReactNode
  /** Right of the title, for example a pill. */
  beside?: ReactNode
  /** Secondary buttons, then the one primary. */
  actions?: ReactNode
}

/** What the shell puts into the head of every page: the menu that all of them have. */
export const PageMenuSlot = createContext<ReactNode>(null)

export function PageHeader({ title, meaning, beside, actions }: PageHeaderProps) {
  usePageTitle(title)
  const menu = use(PageMenuSlot)
  return (
    <div className={classes.head}>
      <div className={classes.words}>
        <div className={classes.line}>
          <h1 className={classes.title}>{title}</h1>
          {beside}
        </div>
        {meaning !== undefined && <p className={classes.meaning}>{meaning}</p>}
      </div>
      {(actions !== undefined || menu !== null) && (
        <div className={classes.actions}>
          {menu}
          {actions}
        </div>
      )}
    </div>
  )
}

/**
 * The browser's tab says which page of which product this is. The product's name is the document's title before any
 * page.
 */
export function usePageTitle(title: string): void {
  useEffect(() => {
    const product = document.title
    document.title = `${title} · ${product}`
    return () => {
      document.title = product
    }
  }, [title])
}
