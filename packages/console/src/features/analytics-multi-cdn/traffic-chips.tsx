import { useTranslation } from 'react-i18next'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import classes from './screen.module.css'
import { useValueName } from './use-value-name.ts'

export const NARROWING = ['cdn', 'status', 'cache', 'country'] as const
export type Narrowing = (typeof NARROWING)[number]
export type Filter = Partial<Record<Narrowing, string>>

/** What the page is narrowed to; each can be taken off. */
export function TrafficChips({ filter, onRemove }: { filter: Filter; onRemove: (key: Narrowing) => void }) {
  const { t } = useTranslation('analytics-multi-cdn')
  const { nameOf } = useValueName()
  const chosen = NARROWING.flatMap((key) =>
    filter[key] === undefined ? [] : [{ key, text: nameOf(key, filter[key]) }],
  )
  if (chosen.length === 0) return null
  return (
    <div className={classes.chips}>
      {chosen.map(({ key, text }) => (
        <FilterChip key={key} off={t('chipOff', { value: text })} onOff={() => onRemove(key)}>
          {t('chip', { what: t(`by.${key}`), value: text })}
        </FilterChip>
      ))}
    </div>
  )
}
