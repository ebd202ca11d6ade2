import { UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { type ReactNode, useId, useState } from 'react'
import classes from './folding-item.module.css'

type FoldingItemProps = {
  /** Before the title: a number. */ lead?: ReactNode
  title: ReactNode
  /** Who and when, below the title. */ by: ReactNode
  end: ReactNode
  /** What the opened line shows; not made before. */ children: () => ReactNode
}

/** One line of a list that opens in its place. */
export function FoldingItem({ lead, title, by, end, children }: FoldingItemProps) {
  const [opened, setOpened] = useState(false)
  const id = useId()
  return (
    <li className={classes.item} data-opened={opened || undefined}>
      <UnstyledButton
        className={classes.line}
        aria-expanded={opened}
        aria-controls={id}
        onClick={() => setOpened(!opened)}
      >
        <IconChevronRight className={classes.chevron} size={15} stroke={1.8} aria-hidden />
        {lead}
        <span className={classes.what}>
          <span className={classes.title}>{title}</span>
          <span className={classes.by}>{by}</span>
        </span>
        {end}
      </UnstyledButton>
      {opened && (
        <div className={classes.detail} id={id}>
          {children()}
        </div>
      )}
    </li>
  )
}
