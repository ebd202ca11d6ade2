import { ActionIcon, Button } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import {
  Children,
  Fragment,
  type ReactNode,
  createContext,
  isValidElement,
  use,
  useEffect,
  useId,
  useState,
} from 'react'
import { useTranslation } from 'react-i18next'
import { LinkButton } from '../marks/links.tsx'
import classes from './page-header.module.css'

type PageHeaderProps = {
  title: string
  /** One line: what this page is for. */
  meaning?: ReactNode
  /** Right of the title, for example a pill. */
  beside?: ReactNode
  /** Secondary buttons, then the one primary. On a phone it stays beside the title, the others fold away. */
  actions?: ReactNode
}

/** What the shell puts into the head of every page: the menu that all of them have. */
export const PageMenuSlot = createContext<ReactNode>(null)

export function PageHeader({ title, meaning, beside, actions }: PageHeaderProps) {
  const { t } = useTranslation('shell')
  usePageTitle(title)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const menu = use(PageMenuSlot)
  const parts = partsOf(actions)
  const others = parts.filter((part) => !isPrimary(part))
  return (
    <div className={classes.head} data-open={isOpen || undefined}>
      <div className={classes.words}>
        <div className={classes.line}>
          <h1 className={classes.title}>{title}</h1>
          {beside !== undefined && <div className={classes.beside}>{beside}</div>}
        </div>
        {meaning !== undefined && <p className={classes.meaning}>{meaning}</p>}
      </div>
      {(parts.length > 0 || menu !== null) && (
        <div className={classes.actions}>
          <div id={id} className={classes.others} data-folds={others.length > 0 || undefined}>
            {menu}
            {others}
          </div>
          <div className={classes.primary}>{parts.filter(isPrimary)}</div>
          {others.length > 0 && (
            <ActionIcon
              className={classes.fold}
              variant="default"
              size={34}
              aria-label={t('pageActions')}
              aria-expanded={isOpen}
              aria-controls={id}
              onClick={() => setOpen(!isOpen)}
            >
              <IconDots size={16} stroke={1.65} />
            </ActionIcon>
          )}
        </div>
      )}
    </div>
  )
}

/** What stands side by side, be it in a fragment or not. */
function partsOf(actions: ReactNode): ReactNode[] {
  const isFragment = isValidElement<{ children?: ReactNode }>(actions) && actions.type === Fragment
  return Children.toArray(isFragment ? actions.props.children : actions)
}

/** A button that says nothing of its looks is the page's primary one. */
const isPrimary = (part: ReactNode): boolean =>
  isValidElement<{ variant?: string }>(part) &&
  (part.type === Button || part.type === LinkButton) &&
  part.props.variant === undefined

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
