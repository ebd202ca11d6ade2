import { LIMITS } from '@fairway/contract'
import type { DnsRecord } from '@fairway/contract'
import { canHaveWeight, relativeName } from '@fairway/domain'
import { NumberInput } from '@mantine/core'
import { Controller, useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../i18n/format.ts'
import type { RecordDraft } from './record-draft.ts'

type WeightFieldProps = { others: readonly DnsRecord[]; siteName: string; problem: string | null }

/**
 * The share of answers of one of several addresses of a name, in relation to the others; there where there are others.
 */
export function WeightField({ others, siteName, problem }: WeightFieldProps) {
  const { t } = useTranslation('dns-records')
  const format = useFormat()
  const { control } = useFormContext<RecordDraft>()
  const [type, typed, weight, multiCdn] = useWatch({ control, name: ['type', 'name', 'weight', 'multiCdn'] })
  const name = relativeName(typed, siteName)
  const beside = others.filter((record) => record.type === type && record.name === name)
  if (!canHaveWeight(type) || multiCdn || (beside.length === 0 && weight === '')) return null
  const isShared = weight !== '' || beside.some((record) => record.weight !== null)
  const sum = beside.reduce((total, record) => total + (record.weight ?? 1), weight === '' ? 1 : weight)
  const share = sum === 0 ? 0 : ((weight === '' ? 1 : weight) / sum) * 100
  return (
    <Controller
      control={control}
      name="weight"
      render={({ field }) => (
        <NumberInput
          label={t('weight')}
          description={
            isShared && beside.length > 0
              ? t('weightShare', { percent: format.percent(share), count: beside.length })
              : t('weightHelp')
          }
          placeholder={t('weightNone')}
          min={0}
          max={LIMITS.recordWeight}
          allowDecimal={false}
          clampBehavior="none"
          error={problem}
          {...field}
          onChange={(next) => field.onChange(typeof next === 'number' ? next : '')}
        />
      )}
    />
  )
}
