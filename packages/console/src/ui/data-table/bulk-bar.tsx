import { ActionIcon } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './bulk-bar.module.css'

type BulkBarProps = { count: number; onClear: () => void; children: ReactNode }

/** Floats over the table's foot while rows are selected. */
export function BulkBar({ count, onClear, children }: BulkBarProps) {
  const { t } = useTranslation('table')
  return (
    <div className={classes.dock}>
      <div className={classes.bar} role="toolbar" aria-label={t('bulk')}>
        <span className={classes.count} aria-live="polite">
          {t('selected', { count })}
        </span>
        {children}
        <ActionIcon aria-label={t('clearSelection')} onClick={onClear}>
          <IconX size={15} stroke={1.8} />
        </ActionIcon>
      </div>
    </div>
  )
}
