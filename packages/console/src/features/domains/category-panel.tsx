import { Checkbox, UnstyledButton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import type { Category } from './categories.ts'
import classes from './domains.module.css'

const FIRST = 6

type Props = {
  category: Category
  values: readonly { value: string; count: number }[]
  chosen: readonly string[]
  onToggle: (value: string) => void
}

/** Values of one category with their counts. A category without values is not shown. */
export function CategoryPanel({ category, values, chosen, onToggle }: Props) {
  const { t } = useTranslation(['domains', 'states'])
  const format = useFormat()
  const { lookOf } = useCdnLooks()
  const [all, setAll] = useState(false)
  if (values.length === 0) return null
  const nameOf = (value: string) =>
    category === 'cdn' ? lookOf(value).name : category === 'status' ? t(`states:state.${value}`) : value
  const shown = all ? values : values.slice(0, FIRST)
  return (
    <fieldset className={classes.category}>
      <legend className={classes.legend}>{t(`category.${category}`)}</legend>
      {shown.map(({ value, count }) => (
        <div key={value} className={classes.value}>
          <Checkbox
            size="xs"
            label={nameOf(value)}
            checked={chosen.includes(value)}
            onChange={() => onToggle(value)}
            classNames={{ labelWrapper: classes.label, label: classes.label }}
          />
          <span className={`${classes.count} num`}>{format.number(count)}</span>
        </div>
      ))}
      {values.length > FIRST && (
        <UnstyledButton className={classes.all} onClick={() => setAll(!all)}>
          {all ? t('fewer') : t('allValues', { count: values.length })}
        </UnstyledButton>
      )}
    </fieldset>
  )
}
