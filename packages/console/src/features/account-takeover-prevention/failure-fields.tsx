import type { LoginFailure } from '@fairway/contract'
import { NumberInput, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/forms/segmented.tsx'
import classes from '../firewall-rules/editor.module.css'

const WAYS = ['status', 'body', 'header'] as const
const OPERATORS = ['exists', 'equals', 'contains'] as const
const FRESH: Record<(typeof WAYS)[number], LoginFailure> = {
  status: { by: 'status', status: 401 },
  body: { by: 'body', keywords: [] },
  header: { by: 'header', name: 'x-login-failed', operator: 'exists', value: '' },
}

/** How an answer of the origin tells that a login has failed: by one of three ways. */
export function FailureFields({
  failure,
  onChange,
}: {
  failure: LoginFailure
  onChange: (failure: LoginFailure) => void
}) {
  const { t } = useTranslation('account-takeover-prevention')
  const [words, setWords] = useState(failure.by === 'body' ? failure.keywords.join(', ') : '')
  return (
    <div className={classes.fields}>
      <div className={classes.buttons}>
        <Segmented
          label={t('field.by')}
          value={failure.by}
          onChange={(by) => onChange(FRESH[by])}
          options={WAYS.map((value) => ({ value, label: t(`by.${value}`) }))}
        />
      </div>
      {failure.by === 'status' && (
        <NumberInput
          label={t('field.status')}
          value={failure.status}
          min={200}
          max={599}
          allowDecimal={false}
          onChange={(value) => onChange({ ...failure, status: Number(value) })}
        />
      )}
      {failure.by === 'body' && (
        <TextInput
          label={t('field.keywords')}
          description={t('field.keywordsText')}
          value={words}
          maxLength={2000}
          onChange={({ currentTarget: { value } }) => {
            setWords(value)
            const keywords = value.split(/[,，]/).map((word) => word.trim())
            onChange({ by: 'body', keywords: keywords.filter((word) => word !== '') })
          }}
        />
      )}
      {failure.by === 'header' && (
        <>
          <TextInput
            label={t('field.headerName')}
            value={failure.name}
            maxLength={64}
            onChange={({ currentTarget }) => onChange({ ...failure, name: currentTarget.value.toLowerCase() })}
          />
          <Select
            label={t('field.operator')}
            data={OPERATORS.map((value) => ({ value, label: t(`operator.${value}`) }))}
            value={failure.operator}
            allowDeselect={false}
            onChange={(next) => {
              const operator = OPERATORS.find((one) => one === next)
              if (operator) onChange({ ...failure, operator })
            }}
          />
          {failure.operator !== 'exists' && (
            <TextInput
              label={t('field.value')}
              value={failure.value}
              maxLength={200}
              onChange={({ currentTarget }) => onChange({ ...failure, value: currentTarget.value })}
            />
          )}
        </>
      )}
    </div>
  )
}
