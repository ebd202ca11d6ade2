import { useTranslation } from 'react-i18next'
import classes from './table-skeleton.module.css'

const ROWS = [62, 48, 71, 55, 66, 42, 58, 50]

/** The table's shape until its rows are here; invisible for the first 200 ms. */
export function TableSkeleton({ columns }: { columns: number }) {
  const { t } = useTranslation('table')
  return (
    <div className={classes.skeleton} role="status" aria-label={t('loading')}>
      {ROWS.map((width) => (
        <div key={width} className={classes.row}>
          {Array.from({ length: Math.min(columns, 5) }, (_, index) => (
            <span key={index} className={classes.bar} style={{ width: `${Math.max(20, width - index * 9)}%` }} />
          ))}
        </div>
      ))}
    </div>
  )
}
