import { Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './access-control.module.css'

/** Seconds from now. */
const SPANS = { hour: 3_600, day: 86_400, week: 7 * 86_400, month: 30 * 86_400 } as const
type Span = keyof typeof SPANS
const CHOICES = ['never', 'hour', 'day', 'week', 'month', 'custom'] as const

const isSpan = (choice: string): choice is Span => Object.hasOwn(SPANS, choice)

/** When an entry ends by itself; null is never. */
export function ExpiryField({ value, onChange }: { value: string | null; onChange: (value: string | null) => void }) {
  const { t } = useTranslation('access-control')
  const [choice, setChoice] = useState<string>(value === null ? 'never' : 'custom')
  return (
    <div className={classes.line}>
      <Select
        label={t('expiry.label')}
        data={CHOICES.map((one) => ({ value: one, label: t(`expiry.${one}`) }))}
        value={choice}
        allowDeselect={false}
        onChange={(next) => {
          if (next === null) return
          setChoice(next)
          if (next === 'never') onChange(null)
          else if (isSpan(next)) onChange(new Date(Date.now() + SPANS[next] * 1000).toISOString())
        }}
      />
      {choice === 'custom' && (
        <TextInput
          type="datetime-local"
          label={t('expiry.at')}
          value={value === null ? '' : localTime(value)}
          onChange={({ currentTarget }) => {
            const at = new Date(currentTarget.value)
            if (!Number.isNaN(at.getTime())) onChange(at.toISOString())
          }}
        />
      )}
    </div>
  )
}

/** As an input of the browser wants it: the reader's own time, without a zone. */
function localTime(iso: string): string {
  const at = new Date(iso)
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}
