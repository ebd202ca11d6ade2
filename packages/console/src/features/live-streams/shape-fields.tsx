import { LIMITS, type LiveLatency } from '@fairway/contract'
import { NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { Segmented } from '../../ui/forms/segmented.tsx'
import classes from './live-streams.module.css'

type NumberField = {
  value: number | undefined
  error: string | null
  disabled?: boolean
  onBlur?: () => void
  onChange: (value: number) => void
}

/** How far behind viewers are. */
export function LatencyField({
  value,
  disabled = false,
  onChange,
}: {
  value: LiveLatency
  disabled?: boolean
  onChange: (latency: LiveLatency) => void
}) {
  const { t } = useTranslation('live-streams')
  return (
    <div className={classes.field}>
      <span className={classes.label}>{t('latencyTitle')}</span>
      <Segmented
        label={t('latencyTitle')}
        value={value}
        onChange={onChange}
        options={(['normal', 'low'] as const).map((one) => ({ value: one, label: t(`latency.${one}`), disabled }))}
      />
      <span className={classes.quiet}>{t(`latencyText.${value}`)}</span>
    </div>
  )
}

export function KeyFrameField({ value, error, disabled = false, onBlur, onChange }: NumberField) {
  const { t } = useTranslation('live-streams')
  return (
    <NumberInput
      label={t('keyFrameSeconds')}
      description={t('keyFrameText')}
      {...LIMITS.keyFrameSeconds}
      allowDecimal={false}
      error={error}
      disabled={disabled}
      value={value ?? ''}
      onBlur={onBlur}
      onChange={(next) => onChange(typeof next === 'number' ? next : Number.NaN)}
    />
  )
}

/** Said in minutes, kept in seconds. */
export function RewindField({ value, error, onBlur, onChange }: NumberField) {
  const { t } = useTranslation('live-streams')
  const { min, max } = LIMITS.rewindSeconds
  return (
    <NumberInput
      label={t('rewind')}
      description={t('rewindText')}
      min={min / 60}
      max={max / 60}
      decimalScale={2}
      error={error}
      value={value === undefined || Number.isNaN(value) ? '' : value / 60}
      onBlur={onBlur}
      onChange={(next) => onChange(typeof next === 'number' ? Math.round(next * 60) : Number.NaN)}
    />
  )
}
