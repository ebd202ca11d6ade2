import { useTranslation } from 'react-i18next'
import { FilterChip } from '../../ui/filters/filter-chip.tsx'
import classes from './screen.module.css'
import type { ShieldFilter } from './tab-props.ts'
import { useShieldWords } from './use-shield-words.ts'

const KEYS = ['part', 'action', 'rule', 'country'] as const

/** What the page is narrowed to; each can be taken off. */
export function ShieldChips({
  filter,
  onRemove,
}: {
  filter: ShieldFilter
  onRemove: (key: (typeof KEYS)[number]) => void
}) {
  const { t } = useTranslation('analytics-origin-shield')
  const { nameOf } = useShieldWords()
  const chosen = KEYS.flatMap((key) => (filter[key] === undefined ? [] : [{ key, text: nameOf(key, filter[key]) }]))
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
