import { relativeName } from '@fairway/domain'
import type { RecordType } from '@fairway/contract'
import { NumberInput, TextInput, Textarea } from '@mantine/core'
import { Controller, type FieldPath, useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { GenericFields } from './generic-fields.tsx'
import { type RecordDraft, isPrivateAddress } from './record-draft.ts'
import { RecordPartFields } from './record-part-fields.tsx'
import { partsOf } from './record-parts.ts'
import { ServiceFields } from './service-fields.tsx'
import classes from './record-form.module.css'

const EXAMPLE: Partial<Record<RecordType, string>> = {
  A: '203.0.113.10',
  AAAA: '2001:db8::10',
  CNAME: 'origin.example.net',
  MX: 'mail.example.net',
  TXT: 'v=spf1 -all',
  ALIAS: 'my-site.pages.example.net',
  NS: 'ns1.example.net',
  PTR: 'host.example.net',
}

type RecordFieldsProps = { siteName: string; isNew: boolean; problem: (field: FieldPath<RecordDraft>) => string | null }

/** The fields that the chosen type needs. */
export function RecordFields({ siteName, isNew, problem }: RecordFieldsProps) {
  const { t } = useTranslation('dns-records')
  const { register, control, setValue } = useFormContext<RecordDraft>()
  const draft = useWatch<RecordDraft>({ control })
  const type = draft.type ?? 'A'
  const name = register('name')
  const nameField = {
    label: t('name'),
    description: t('nameHelp'),
    error: problem('name'),
    autoComplete: 'off',
    autoCapitalize: 'none',
    spellCheck: false,
    className: classes.mono,
    rightSection: <span className={classes.suffix}>.{siteName}</span>,
    rightSectionWidth: 'auto',
    rightSectionPointerEvents: 'none' as const,
  }
  const value = {
    label: t(`value.${type}`, { defaultValue: t('column.value') }),
    placeholder: EXAMPLE[type],
    error: problem('value'),
    autoComplete: 'off',
    spellCheck: false,
    className: classes.mono,
    ...register('value'),
  }
  return (
    <>
      {type === 'SRV' ? (
        <ServiceFields
          host={(host, onHost) => (
            <TextInput
              {...nameField}
              value={host}
              onChange={({ currentTarget }) => onHost(currentTarget.value)}
              onBlur={(event) => onHost(relativeName(event.target.value, siteName))}
            />
          )}
        />
      ) : (
        <TextInput
          {...nameField}
          data-autofocus
          {...name}
          onBlur={(event) => {
            setValue('name', relativeName(event.target.value, siteName))
            return name.onBlur(event)
          }}
        />
      )}
      {partsOf(type) && <RecordPartFields type={type} problem={problem('value')} />}
      {type.startsWith('TYPE') && <GenericFields isNew={isNew} problem={problem('value')} />}
      {type === 'TXT' && <Textarea autosize minRows={2} maxRows={8} {...value} />}
      {type === 'MX' && (
        <div className={classes.pair}>
          <Controller
            control={control}
            name="preference"
            render={({ field }) => (
              <NumberInput
                label={t('preference')}
                min={0}
                max={65_535}
                allowDecimal={false}
                clampBehavior="none"
                error={problem('preference')}
                {...field}
                onChange={(next) => field.onChange(typeof next === 'number' ? next : '')}
              />
            )}
          />
          <TextInput {...value} />
        </div>
      )}
      {type !== 'TXT' && type !== 'MX' && partsOf(type) === null && !type.startsWith('TYPE') && (
        <div>
          <TextInput {...value} />
          {problem('value') === null && isPrivateAddress({ ...EMPTY, ...draft }) && (
            <p className={classes.caution}>{t('validation:bogon')}</p>
          )}
        </div>
      )}
    </>
  )
}

const EMPTY: RecordDraft = {
  type: 'A',
  name: '',
  value: '',
  preference: '',
  ttlSeconds: null,
  multiCdn: false,
  weight: '',
  comment: '',
  tags: [],
}
