import { NumberInput, Textarea } from '@mantine/core'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { hexOfGeneric, genericOfHex } from './generic-value.ts'
import type { RecordDraft } from './record-draft.ts'
import classes from './record-form.module.css'

/**
 * A type by its number with its bytes in hexadecimal, for what has no form here. The number of an existing record
 * stays.
 */
export function GenericFields({ isNew, problem }: { isNew: boolean; problem: string | null }) {
  const { t } = useTranslation('dns-records')
  const { control, setValue, trigger } = useFormContext<RecordDraft>()
  const [type, value] = useWatch({ control, name: ['type', 'value'] })
  const number = Number(type.slice('TYPE'.length))
  return (
    <>
      <NumberInput
        label={t('genericType')}
        min={1}
        max={65_535}
        allowDecimal={false}
        allowNegative={false}
        disabled={!isNew}
        value={number}
        onChange={(next) =>
          setValue('type', `TYPE${typeof next === 'number' && next > 0 ? next : 1}`, { shouldDirty: true })
        }
      />
      <Textarea
        label={t('genericValue')}
        description={t('genericHelp')}
        placeholder="0a 0b 0c"
        autosize
        minRows={2}
        maxRows={8}
        className={classes.mono}
        spellCheck={false}
        error={problem}
        value={hexOfGeneric(value)}
        onBlur={() => void trigger('value')}
        onChange={(event) => setValue('value', genericOfHex(event.currentTarget.value), { shouldDirty: true })}
      />
    </>
  )
}
