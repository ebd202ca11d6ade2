import { SECURITY_FIELDS, SECURITY_FIELD_NAMES, SecurityOperator } from '@fairway/contract'
import type { SecurityCondition } from '@fairway/contract'
import { ActionIcon, Checkbox, Select, TagsInput, TextInput } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { operatorsFor, withField, withOperator } from './expression-tree.ts'
import classes from './editor.module.css'

type ConditionFieldsProps = {
  condition: SecurityCondition
  number: number
  onChange: (condition: SecurityCondition) => void
  onRemove: () => void
}

/** One thing that is asked of a request: field, operator, value. */
export function ConditionFields({ condition, number, onChange, onRemove }: ConditionFieldsProps) {
  const { t } = useTranslation('firewall-rules')
  const { field, name, operator, values, negate, ignoreCase } = condition
  const takesMany = operator === 'in' || operator === 'in-cidr'
  return (
    <div className={classes.condition} role="group" aria-label={t('condition', { number })}>
      <Select
        aria-label={t('fieldLabel')}
        data={SECURITY_FIELD_NAMES.map((value) => ({ value, label: t(`field.${value}`) }))}
        value={field}
        allowDeselect={false}
        searchable
        onChange={(next) => {
          const chosen = SECURITY_FIELD_NAMES.find((one) => one === next)
          if (chosen) onChange(withField(condition, chosen))
        }}
      />
      {SECURITY_FIELDS[field].named && (
        <TextInput
          aria-label={t('nameLabel')}
          placeholder={t('nameLabel')}
          value={name}
          maxLength={64}
          onChange={({ currentTarget }) => onChange({ ...condition, name: currentTarget.value })}
        />
      )}
      <Select
        aria-label={t('operatorLabel')}
        data={operatorsFor(field).map((value) => ({ value, label: t(`operator.${value}`) }))}
        value={operator}
        allowDeselect={false}
        onChange={(next) => {
          if (next) onChange(withOperator(condition, SecurityOperator.parse(next)))
        }}
      />
      {takesMany && (
        <TagsInput
          aria-label={t('valuesLabel')}
          placeholder={values.length === 0 ? t('valuesHint') : ''}
          value={values}
          maxTags={500}
          splitChars={[',', '\n']}
          acceptValueOnBlur
          onChange={(next) => onChange({ ...condition, values: next })}
        />
      )}
      {!takesMany && operator !== 'exists' && (
        <TextInput
          aria-label={t('valueLabel')}
          value={values[0] ?? ''}
          maxLength={1000}
          onChange={({ currentTarget }) => onChange({ ...condition, values: [currentTarget.value] })}
        />
      )}
      <Checkbox
        label={t('not')}
        checked={negate}
        onChange={({ currentTarget }) => onChange({ ...condition, negate: currentTarget.checked })}
      />
      {SECURITY_FIELDS[field].kind === 'text' && operator !== 'exists' && (
        <Checkbox
          label={t('ignoreCase')}
          checked={ignoreCase}
          onChange={({ currentTarget }) => onChange({ ...condition, ignoreCase: currentTarget.checked })}
        />
      )}
      <ActionIcon variant="subtle" color="red" aria-label={t('removeCondition', { number })} onClick={onRemove}>
        <IconTrash size={16} />
      </ActionIcon>
    </div>
  )
}
