import { type NamedRecordType, RECORD_TYPES, type RecordType } from '@fairway/contract'
import { Select } from '@mantine/core'
import { Controller, useFormContext } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { TypeTag } from '../../../ui/marks/type-tag.tsx'
import type { RecordDraft } from './record-draft.ts'
import classes from './record-form.module.css'
import { firstValue } from './record-parts.ts'

/** A number of the range that is for private use (RFC 6895 3.1). */
const FIRST_GENERIC: RecordType = 'TYPE65280'
const OTHER = 'other'

const GROUPS = {
  usual: ['A', 'AAAA', 'CNAME', 'ALIAS', 'MX', 'TXT'],
  services: ['HTTPS', 'SVCB', 'SRV', 'NAPTR', 'PTR'],
  security: ['CAA', 'TLSA', 'SSHFP'],
  delegation: ['NS', 'DS'],
} as const satisfies Record<string, readonly NamedRecordType[]>

const isNamed = (type: string): type is NamedRecordType => RECORD_TYPES.some((one) => one === type)

/**
 * The type decides the other fields, so it comes first. What was found wrong for another type is forgotten, and a value
 * of parts begins anew.
 */
export function RecordTypePicker() {
  const { t } = useTranslation('dns-records')
  const { control, clearErrors, setValue, getValues } = useFormContext<RecordDraft>()
  const data = [
    ...Object.entries(GROUPS).map(([group, types]) => ({
      group: t(`typeGroup.${group}`),
      items: types.map((type) => ({ value: type, label: type })),
    })),
    { group: t('typeGroup.other'), items: [{ value: OTHER, label: t('typeOther') }] },
  ]
  const choose = (before: RecordType, choice: string | null): RecordType => {
    const type = choice !== null && isNamed(choice) ? choice : FIRST_GENERIC
    const first = firstValue(type)
    if (first !== '' || firstValue(before) !== '' || !isNamed(type) || !isNamed(before))
      setValue('value', isNamed(type) ? first : '')
    if (type === 'SRV' && getValues('name') === '') setValue('name', '_sip._tcp')
    if (type === 'TLSA' && getValues('name') === '') setValue('name', '_443._tcp')
    clearErrors()
    return type
  }
  return (
    <Controller
      control={control}
      name="type"
      render={({ field }) => (
        <Select
          label={t('column.type')}
          description={isNamed(field.value) ? t(`typeMeaning.${field.value}`) : t('typeMeaning.other')}
          data={data}
          value={isNamed(field.value) ? field.value : OTHER}
          allowDeselect={false}
          searchable
          maxDropdownHeight={360}
          className={classes.mono}
          onBlur={field.onBlur}
          onChange={(choice) => field.onChange(choose(field.value, choice))}
          renderOption={({ option: { value, label } }) => (
            <span className={classes.option}>
              {isNamed(value) ? <TypeTag type={value} /> : label}
              <span className={classes.optionMeaning}>{isNamed(value) ? t(`typeMeaning.${value}`) : ''}</span>
            </span>
          )}
        />
      )}
    />
  )
}
