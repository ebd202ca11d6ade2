import { OutsideFeedInput } from '@fairway/contract'
import { NumberInput, TextInput } from '@mantine/core'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useZodForm, type CheckedForm } from '../../ui/forms/use-zod-form.ts'
import classes from './screen.module.css'

export type OutsideFeedValues = z.input<typeof OutsideFeedInput>

export const useOutsideFeedForm = (values: OutsideFeedValues): CheckedForm<OutsideFeedValues> =>
  useZodForm<OutsideFeedValues>(OutsideFeedInput, values)

/** Its name, and how much it counts. */
export function OutsideFeedFields({
  form,
  disabled = false,
}: {
  form: CheckedForm<OutsideFeedValues>
  disabled?: boolean
}) {
  const { t } = useTranslation('outside-feeds')
  return (
    <div className={classes.moves}>
      <TextInput
        label={t('name')}
        disabled={disabled}
        data-autofocus
        error={form.problem('name')}
        {...form.register('name')}
      />
      <Controller
        control={form.control}
        name="weightPercent"
        render={({ field }) => (
          <NumberInput
            label={t('weightLabel')}
            description={t('weightHint')}
            min={0}
            max={100}
            suffix=" %"
            disabled={disabled}
            value={field.value ?? ''}
            onChange={(value) => field.onChange(value === '' ? undefined : Number(value))}
            onBlur={field.onBlur}
            error={form.problem('weightPercent')}
          />
        )}
      />
    </div>
  )
}
