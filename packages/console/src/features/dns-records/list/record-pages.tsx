import { Button } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import { PAGE } from '../reads.ts'
import classes from './record-pages.module.css'

type RecordPagesProps = { page: number; total: number; onPage: (page: number | undefined) => void }

/** Which of very many records the table shows, and the way to the others. */
export function RecordPages({ page, total, onPage }: RecordPagesProps) {
  const { t } = useTranslation('dns-records')
  const format = useFormat()
  const last = Math.max(1, Math.ceil(total / PAGE))
  const from = Math.min(total, (page - 1) * PAGE + 1)
  const to = Math.min(total, page * PAGE)
  return (
    <nav className={classes.pages} aria-label={t('pages.label')}>
      <span role="status">
        {t('pages.shown', { from: format.number(from), to: format.number(to), total: format.number(total) })}
      </span>
      <span className={classes.hint}>{t('pages.hint')}</span>
      <Button
        variant="default"
        size="xs"
        leftSection={<IconChevronLeft size={14} stroke={1.65} />}
        disabled={page <= 1}
        onClick={() => onPage(page <= 2 ? undefined : Math.min(page - 1, last))}
      >
        {t('pages.before')}
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<IconChevronRight size={14} stroke={1.65} />}
        disabled={page >= last}
        onClick={() => onPage(page + 1)}
      >
        {t('pages.next')}
      </Button>
    </nav>
  )
}
