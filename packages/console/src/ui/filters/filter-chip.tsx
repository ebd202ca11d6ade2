import { UnstyledButton } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from './filter-chip.module.css'

type FilterChipProps = { children: ReactNode; /** What taking it off does, in words. */ off: string; onOff: () => void }

/** One thing that a page is narrowed to; the cross takes it off. */
export function FilterChip({ children, off, onOff }: FilterChipProps) {
  return (
    <span className={classes.chip}>
      {children}
      <UnstyledButton className={classes.off} aria-label={off} onClick={onOff}>
        <IconX size={14} stroke={1.8} aria-hidden />
      </UnstyledButton>
    </span>
  )
}
