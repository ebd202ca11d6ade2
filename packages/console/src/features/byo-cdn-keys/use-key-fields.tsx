import { BYO_FIELDS, type ByoField, type ByoPlatform } from '@fairway/contract'
import { PasswordInput, TextInput, Textarea } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { validationText } from '../../i18n/validation.ts'
import classes from './byo-cdn-keys.module.css'

type Saved = { fields: Record<string, string>; secretsSet: readonly string[] }

export type KeyFields = {
  inputs: ReactNode
  isDirty: boolean
  /** What was typed, when every field has the vendor's form; null shows what has not. */
  take(): Record<string, string> | null
  /** Another platform has other fields. */
  clear(): void
  /** Whether a refusal is told at one of the fields. */
  isTold: boolean
}

/**
 * The fields of one platform's key. Each is checked by the vendor's form here already; secrets that are stored are
 * never shown, only replaced.
 */
export function useKeyFields(platform: ByoPlatform, saved: Saved | null, error: unknown): KeyFields {
  const { t } = useTranslation(['byo-cdn-keys', 'validation', 'errors'])
  const [values, setValues] = useState<Record<string, string>>(saved?.fields ?? {})
  const [tried, setTried] = useState(false)
  const fields = BYO_FIELDS[platform]
  const isStored = (field: ByoField) => field.secret && (saved?.secretsSet.includes(field.name) ?? false)
  const problems = new Map(
    fields.flatMap((field) =>
      problemOf(field, values[field.name] ?? '', isStored(field)).map((message): [string, string] => [
        field.name,
        message,
      ]),
    ),
  )
  const refused = error instanceof ApiError ? error.fields : []
  const problem = (field: ByoField) => {
    const message =
      (tried ? problems.get(field.name) : undefined) ??
      refused.find(({ path }) => path === `values.${field.name}`)?.message
    return message === undefined ? null : validationText(t, message)
  }
  return {
    inputs: fields.map((field) => (
      <Field
        key={`${platform} ${field.name}`}
        field={field}
        stored={isStored(field)}
        value={values[field.name] ?? ''}
        problem={problem(field)}
        onChange={(value) => setValues((before) => ({ ...before, [field.name]: value }))}
      />
    )),
    isDirty: fields.some((field) => (values[field.name] ?? '') !== (saved?.fields[field.name] ?? '')),
    take() {
      setTried(true)
      return problems.size > 0
        ? null
        : Object.fromEntries(
            fields.flatMap((field) => (values[field.name] ? [[field.name, values[field.name] ?? '']] : [])),
          )
    },
    clear() {
      setValues({})
      setTried(false)
    },
    isTold: refused.some(({ path }) => path.startsWith('values.')),
  }
}

function Field({
  field,
  stored,
  value,
  problem,
  onChange,
}: {
  field: ByoField
  stored: boolean
  value: string
  problem: string | null
  onChange: (value: string) => void
}) {
  const { t } = useTranslation('byo-cdn-keys')
  const label = t(`field.${field.name}`)
  const shared = {
    label: field.required ? label : t('optional', { label }),
    error: problem,
    value,
    className: classes.code,
    spellCheck: false,
    onChange: (event: { currentTarget: { value: string } }) => onChange(event.currentTarget.value),
  }
  // A browser must not offer to keep a vendor's secret, nor fill in somebody's password.
  if (field.secret)
    return (
      <PasswordInput
        {...shared}
        autoComplete="new-password"
        placeholder={stored ? t('keep') : ''}
        description={stored ? t('storedHelp') : undefined}
        visibilityToggleButtonProps={{ 'aria-label': t('showTyped') }}
      />
    )
  return field.many ? (
    <Textarea {...shared} autosize minRows={2} maxRows={6} placeholder={field.example} description={t('onePerLine')} />
  ) : (
    <TextInput {...shared} autoComplete="off" placeholder={field.example} />
  )
}

/** Message of what is wrong with a field, none or one. */
function problemOf({ form, required, many }: ByoField, text: string, stored: boolean): string[] {
  const parts = many ? text.split(/[\s,]+/).filter(Boolean) : [text.trim()].filter(Boolean)
  if (parts.length === 0) return required && !stored ? ['validation.required'] : []
  return parts.every((part) => form.test(part)) ? [] : ['code:8491']
}
