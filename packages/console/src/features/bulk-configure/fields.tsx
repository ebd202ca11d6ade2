import { Select, TextInput, Textarea } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { validationText } from '../../i18n/validation.ts'
import type { Draft } from './draft.ts'

export type FormProps = {
  draft: Draft
  problems: Readonly<Record<string, string>> | null
  onDraft: (field: string, value: string) => void
}
type FieldProps = FormProps & { field: string; label: string; help?: string }

/** One of several, or to leave it to each domain. */
export function Choice({
  draft,
  onDraft,
  field,
  label,
  help,
  options,
}: FieldProps & { options: readonly { value: string; label: string }[] }) {
  const { t } = useTranslation('bulk-configure')
  return (
    <Select
      label={label}
      description={help}
      value={draft[field] ?? ''}
      onChange={(value) => onDraft(field, value ?? '')}
      allowDeselect={false}
      data={[{ value: '', label: t('keep') }, ...options]}
    />
  )
}

/** On, off, or to leave it to each domain. */
export function Switched(props: FieldProps) {
  const { t } = useTranslation('bulk-configure')
  return (
    <Choice
      {...props}
      options={[
        { value: 'on', label: t('on') },
        { value: 'off', label: t('off') },
      ]}
    />
  )
}

/** Empty leaves it to each domain. */
export function Line({
  draft,
  problems,
  onDraft,
  field,
  label,
  help,
  lines = 1,
  mono = false,
}: FieldProps & { lines?: number; mono?: boolean }) {
  const { t } = useTranslation(['bulk-configure', 'validation'])
  const shared = {
    label,
    description: help,
    value: draft[field] ?? '',
    error: validationText(t, problems?.[field]),
    placeholder: t('keep'),
    spellCheck: false,
    autoComplete: 'off',
    ...(mono ? { styles: { input: { fontFamily: 'var(--font-mono)' } } } : {}),
    onChange: (event: { currentTarget: { value: string } }) => onDraft(field, event.currentTarget.value),
  }
  return lines > 1 ? <Textarea {...shared} rows={lines} /> : <TextInput {...shared} />
}
