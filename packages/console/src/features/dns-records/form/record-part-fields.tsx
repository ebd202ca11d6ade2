import type { RecordType } from '@fairway/contract'
import { Select, TextInput, Textarea } from '@mantine/core'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { RecordDraft } from './record-draft.ts'
import classes from './record-form.module.css'
import { type RecordPart, joinParts, partsOf, splitParts } from './record-parts.ts'

type RecordPartFieldsProps = { type: RecordType; problem: string | null }

/** A field for each part of a value that has several. What is wrong with the value as a whole stands below them. */
export function RecordPartFields({ type, problem }: RecordPartFieldsProps) {
  const { t } = useTranslation('dns-records')
  const { control, setValue, trigger, formState } = useFormContext<RecordDraft>()
  const value = useWatch({ control, name: 'value' })
  const parts = splitParts(type, value)
  const set = (index: number, text: string) =>
    setValue(
      'value',
      joinParts(
        type,
        parts.map((part, at) => (at === index ? text : part)),
      ),
      { shouldDirty: true, shouldValidate: formState.touchedFields.value === true || formState.isSubmitted },
    )
  const leave = () => {
    if (parts.every((part) => part !== '')) void trigger('value')
  }
  return (
    <fieldset className={classes.parts} aria-describedby={problem === null ? undefined : 'parts-problem'}>
      <legend className="sr-only">{type}</legend>
      {(partsOf(type) ?? []).map((part, index) => (
        <PartField
          key={part.key}
          part={part}
          value={parts[index] ?? ''}
          label={t(`part.${part.key}`)}
          invalid={problem !== null}
          onChange={(text) => set(index, text)}
          onBlur={leave}
        />
      ))}
      {problem !== null && (
        <p className={classes.problem} id="parts-problem" role="alert">
          {problem}
        </p>
      )}
    </fieldset>
  )
}

type PartFieldProps = {
  part: RecordPart
  value: string
  label: string
  invalid: boolean
  onChange: (text: string) => void
  onBlur: () => void
}

function PartField({ part, value, label, invalid, onChange, onBlur }: PartFieldProps) {
  const { options, kind, placeholder } = part
  if (options) {
    const data = options.map(([code, name]) => ({ value: code, label: code === name ? code : `${code} · ${name}` }))
    // What was typed elsewhere stays to be chosen.
    const known =
      data.some((option) => option.value === value) || value === '' ? data : [...data, { value, label: value }]
    return (
      <Select
        label={label}
        data={known}
        value={value === '' ? null : value}
        allowDeselect={false}
        onChange={(next) => onChange(next ?? '')}
        onBlur={onBlur}
      />
    )
  }
  const field = {
    label,
    value,
    placeholder,
    autoComplete: 'off',
    spellCheck: false,
    'aria-invalid': invalid,
    onBlur,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  if (kind === 'rest')
    return <Textarea autosize minRows={1} maxRows={6} className={`${classes.mono} ${classes.wide}`} {...field} />
  return (
    <TextInput
      className={kind === 'number' ? classes.mono : `${classes.mono} ${classes.wide}`}
      {...(kind === 'number' ? { inputMode: 'numeric' as const } : {})}
      {...field}
    />
  )
}
