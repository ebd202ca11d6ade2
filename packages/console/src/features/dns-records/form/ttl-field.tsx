import { relativeName } from '@fairway/domain'
import { LIMITS } from '@fairway/contract'
import { NumberInput, Select } from '@mantine/core'
import { useState } from 'react'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import { isSteerable } from '../filter-records.ts'
import type { RecordDraft } from './record-draft.ts'
import classes from './record-form.module.css'

export const PRESETS_SECONDS = [30, 60, 300, 600, 1800, 3600, 14_400, 43_200, 86_400]
const FIRST_CUSTOM_SECONDS = 300

/** Auto, the usual times, or any within the limits. Multi-CDN keeps it to itself. */
export function TtlField({ problem, siteName }: { problem: string | null; siteName: string }) {
  const { t } = useTranslation('dns-records')
  const format = useFormat()
  const { control, getValues } = useFormContext<RecordDraft>()
  const [type, name, multiCdn] = useWatch({ control, name: ['type', 'name', 'multiCdn'] })
  const [custom, setCustom] = useState(() => isCustom(getValues('ttlSeconds')))
  const isManaged = multiCdn && isSteerable({ type, name: relativeName(name, siteName) })
  const options = [
    { value: 'auto', label: t('auto') },
    ...PRESETS_SECONDS.map((seconds) => ({ value: String(seconds), label: format.seconds(seconds) })),
    { value: 'custom', label: t('ttlCustom') },
  ]
  if (isManaged)
    return <Select label={t('column.ttl')} description={t('ttlManaged')} data={options} value="auto" disabled />
  return (
    <Controller
      control={control}
      name="ttlSeconds"
      render={({ field }) => (
        <div className={custom ? classes.ttl : undefined}>
          <Select
            label={t('column.ttl')}
            description={t('ttlHelp')}
            data={options}
            value={custom ? 'custom' : field.value === null ? 'auto' : String(field.value)}
            error={custom ? null : problem}
            onBlur={field.onBlur}
            onChange={(choice) => {
              setCustom(choice === 'custom')
              field.onChange(
                choice === 'auto' ? null : choice === 'custom' ? (field.value ?? FIRST_CUSTOM_SECONDS) : Number(choice),
              )
            }}
          />
          {custom && (
            <NumberInput
              label={t('ttlSeconds')}
              description={t('ttlRange', {
                min: format.number(LIMITS.ttlSeconds.min),
                max: format.number(LIMITS.ttlSeconds.max),
              })}
              value={field.value ?? ''}
              error={problem}
              allowDecimal={false}
              clampBehavior="none"
              onBlur={field.onBlur}
              onChange={(next) => field.onChange(typeof next === 'number' ? next : '')}
            />
          )}
        </div>
      )}
    />
  )
}

function isCustom(ttlSeconds: RecordDraft['ttlSeconds']): boolean {
  return typeof ttlSeconds === 'number' && !PRESETS_SECONDS.includes(ttlSeconds)
}
