import { useTranslation } from 'react-i18next'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import classes from './screen.module.css'
import { useValueName } from './use-value-name.ts'

export type RequestFilter = { name?: string; type?: string; rcode?: string }
const KEYS = ['name', 'type', 'rcode'] as const

/** What the page is narrowed to; each can be taken off. */
export function FilterChips({
  filter,
  onRemove,
}: {
  filter: RequestFilter
  onRemove: (key: (typeof KEYS)[number]) => void
}) {
  const { t } = useTranslation('dns-requests')
  const valueName = useValueName()
  const chosen = KEYS.flatMap((key) => (filter[key] === undefined ? [] : [{ key, text: valueName(key, filter[key]) }]))
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
