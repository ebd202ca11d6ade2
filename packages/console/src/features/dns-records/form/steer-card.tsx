import { relativeName } from '@fairway/domain'
import { Switch } from '@mantine/core'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { isSteerable } from '../filter-records.ts'
import type { RecordDraft } from './record-draft.ts'
import classes from './steer-card.module.css'

/** What steering would do to this name; absent for names that cannot be steered. */
export function SteerCard({ siteName, problem }: { siteName: string; problem: string | null }) {
  const { t } = useTranslation('dns-records')
  const { control, formState, trigger } = useFormContext<RecordDraft>()
  const [type, name] = useWatch({ control, name: ['type', 'name'] })
  if (!isSteerable({ type, name: relativeName(name, siteName) })) return null
  return (
    <Controller
      control={control}
      name="multiCdn"
      render={({ field }) => (
        <label className={classes.card} data-on={field.value || undefined}>
          <Switch
            aria-label={t('steer.title')}
            checked={field.value}
            onBlur={field.onBlur}
            onChange={(event) => {
              field.onChange(event.currentTarget.checked)
              // A reserved address is fine without steering and refused with it.
              if (formState.touchedFields.value) void trigger('value')
            }}
          />
          <span className={classes.words}>
            <span className={classes.title}>{t('steer.title')}</span>
            <span className={classes.text}>{field.value ? t('steer.on') : t('steer.off')}</span>
            {problem !== null && <span className={classes.problem}>{problem}</span>}
          </span>
        </label>
      )}
    />
  )
}
