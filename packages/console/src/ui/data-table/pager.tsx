import { Pagination } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import classes from './pager.module.css'

type PagerProps = { page: number; pageSize: number; total: number; onPage: (page: number) => void }

/** Which entries of how many are shown, and the way to the others. */
export function Pager({ page, pageSize, total, onPage }: PagerProps) {
  const { t } = useTranslation('table')
  const format = useFormat()
  const pages = Math.ceil(total / pageSize)
  if (pages <= 1) return null
  const from = (page - 1) * pageSize + 1
  return (
    <nav className={classes.pager} aria-label={t('pages')}>
      <span className={classes.shown}>
        {t('shown', {
          from: format.number(from),
          to: format.number(Math.min(total, from + pageSize - 1)),
          total: format.number(total),
        })}
      </span>
      <Pagination
        size="sm"
        total={pages}
        value={page}
        onChange={onPage}
        siblings={1}
        getItemProps={(number) => ({ 'aria-label': t('page', { page: number }) })}
        getControlProps={(control) => ({ 'aria-label': control === 'previous' ? t('previous') : t('next') })}
      />
    </nav>
  )
}
