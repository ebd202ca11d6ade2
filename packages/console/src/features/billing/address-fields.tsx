import type { BillingAddress } from '@fairway/contract'
import { COUNTRY_CODES } from '@fairway/domain'
import { Select, TextInput } from '@mantine/core'
import { useMemo } from 'react'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { useFormat } from '../../i18n/format.ts'
import type { CheckedForm } from '../../ui/forms/use-zod-form.ts'
import classes from './billing.module.css'

type Fields = z.input<typeof BillingAddress>

/** Name and address on the invoice. */
export function AddressFields({ form }: { form: CheckedForm<Fields> }) {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const countries = useMemo(
    () =>
      COUNTRY_CODES.map((value) => ({ value, label: format.country(value) })).sort((a, b) =>
        a.label.localeCompare(b.label, format.language),
      ),
    [format],
  )
  const text = (name: keyof Fields, autoComplete: string, wide = false) => (
    <TextInput
      className={wide ? classes.wide : undefined}
      label={t(`address.${name}`)}
      autoComplete={autoComplete}
      error={form.problem(name)}
      {...form.register(name)}
    />
  )
  return (
    <fieldset className={classes.fields}>
      <legend className="sr-only">{t('address.title')}</legend>
      {text('firstName', 'given-name')}
      {text('lastName', 'family-name')}
      {text('company', 'organization', true)}
      <div className={classes.wide}>
        <Controller
          control={form.control}
          name="billingCountry"
          render={({ field }) => (
            <Select
              label={t('address.billingCountry')}
              searchable
              data={countries}
              error={form.problem('billingCountry')}
              {...field}
              value={field.value || null}
              onChange={(value) => field.onChange(value ?? '')}
            />
          )}
        />
      </div>
      {text('billingAddr1', 'address-line1', true)}
      {text('billingAddr2', 'address-line2', true)}
      {text('billingCity', 'address-level2')}
      {text('billingState', 'address-level1')}
      {text('billingZip', 'postal-code')}
      {text('taxId', 'off')}
    </fieldset>
  )
}
