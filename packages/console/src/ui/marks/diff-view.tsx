import { useTranslation } from 'react-i18next'
import classes from './diff-view.module.css'

/** One thing that differs; null on one side means added or removed. */
export type DiffRow = { label: string; before: string | null; after: string | null }

/** Before and after, readable without colour: a minus, a plus, and words for screen readers. */
export function DiffView({ rows }: { rows: readonly DiffRow[] }) {
  const { t } = useTranslation('shell')
  return (
    <dl className={classes.diff}>
      {rows.map(({ label, before, after }) => (
        <div key={label} className={classes.row}>
          <dt className={classes.label}>{label}</dt>
          {before !== null && (
            <dd className={classes.line} data-side="before">
              <span className="sr-only">{t('diff.before')} </span>
              {before === '' ? '—' : before}
            </dd>
          )}
          {after !== null && (
            <dd className={classes.line} data-side="after">
              <span className="sr-only">{t('diff.after')} </span>
              {after === '' ? '—' : after}
            </dd>
          )}
        </div>
      ))}
    </dl>
  )
}

/**
 * The fields of two versions of one thing that differ. Values are shown as `show` says; a field that is the same on
 * both sides is left out.
 */
export function diffRows(
  before: Record<string, unknown> | null,
  after: Record<string, unknown> | null,
  show: (field: string, value: unknown) => string,
  labelOf: (field: string) => string,
): DiffRow[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return fields
    .filter((field) => JSON.stringify(before?.[field] ?? null) !== JSON.stringify(after?.[field] ?? null))
    .map((field) => ({
      label: labelOf(field),
      before: before === null ? null : show(field, before[field]),
      after: after === null ? null : show(field, after[field]),
    }))
}
