import { NOTIFICATION_TYPES, WebhookInput } from '@fairway/contract'
import type { NotificationType } from '@fairway/contract'
import { Checkbox, Switch, TextInput } from '@mantine/core'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { z } from 'zod'
import { type CheckedForm, useZodForm } from '../../ui/forms/use-zod-form.ts'
import classes from './webhook-fields.module.css'

export type WebhookFieldValues = z.input<typeof WebhookInput>

export const useWebhookForm = (values: WebhookFieldValues): CheckedForm<WebhookFieldValues> =>
  useZodForm<WebhookFieldValues>(WebhookInput, values)

/** Address, what it is for, which notifications, and on or off. */
export function WebhookFields({
  form,
  privateAllowed,
  withSwitch = false,
}: {
  form: CheckedForm<WebhookFieldValues>
  privateAllowed: boolean
  withSwitch?: boolean
}) {
  const { t } = useTranslation('webhooks')
  return (
    <div className={classes.fields}>
      <TextInput
        label={t('url')}
        description={t(privateAllowed ? 'urlHintPrivate' : 'urlHint')}
        placeholder="https://example.com/hooks/fairway"
        spellCheck={false}
        data-autofocus
        error={form.problem('url')}
        {...form.register('url')}
      />
      <TextInput
        label={t('description')}
        placeholder={t('descriptionHint')}
        error={form.problem('description')}
        {...form.register('description')}
      />
      <Controller
        control={form.control}
        name="types"
        render={({ field }) => (
          <Checkbox.Group
            label={t('types')}
            value={field.value}
            onChange={(next) =>
              field.onChange(NOTIFICATION_TYPES.filter((type) => next.includes(type)) satisfies NotificationType[])
            }
            error={form.problem('types')}
          >
            <div className={classes.types}>
              {NOTIFICATION_TYPES.map((type) => (
                <Checkbox key={type} value={type} label={t(`notifications:type.${type}`)} />
              ))}
            </div>
          </Checkbox.Group>
        )}
      />
      {withSwitch && (
        <Controller
          control={form.control}
          name="enabled"
          render={({ field }) => (
            <Switch
              label={t('enabled')}
              checked={field.value === true}
              onChange={(event) => field.onChange(event.currentTarget.checked)}
            />
          )}
        />
      )}
    </div>
  )
}
