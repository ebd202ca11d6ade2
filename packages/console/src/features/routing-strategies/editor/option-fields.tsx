import { Otherwise } from '@fairway/contract'
import { Checkbox, NativeSelect, NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './option-fields.module.css'
import type { StrategyDraft } from './strategy-draft.ts'

const USUAL_THRESHOLD = 90
/** What a canary begins with. */
const FIRST_SHARE = 5
const FIRST_MBPS = 10
const FIRST_TTL = 60

type OptionFieldsProps = {
  draft: StrategyDraft
  set: <Field extends keyof StrategyDraft>(field: Field) => (value: StrategyDraft[Field]) => void
}

/** What a CDN must reach, and which measurements count. */
export function OptionFields({ draft, set }: OptionFieldsProps) {
  const { t } = useTranslation('routing-strategies')
  const {
    method,
    availabilityThreshold = USUAL_THRESHOLD,
    omitRum = false,
    omitSum = false,
    requireAllData = false,
    visitorPercent = null,
    minimumMbps = null,
    preferThroughput = false,
    ttlSeconds = null,
    whenNoData = 'pass',
    whenBelow = 'pass',
  } = draft
  const choices = Otherwise.options.map((value) => ({ value, label: t(`fallback.choice.${value}`) }))
  const byLatency = method === 'best-latency' || method === 'regional-latency'
  return (
    <div className={classes.fields}>
      <OptionalNumber
        label={t('threshold.label')}
        help={t('threshold.help')}
        name={t('threshold.value')}
        value={availabilityThreshold}
        first={USUAL_THRESHOLD}
        suffix=" %"
        range={[0, 100, 2]}
        onChange={set('availabilityThreshold')}
      />
      <OptionalNumber
        label={t('throughput.label')}
        help={t('throughput.help')}
        name={t('throughput.value')}
        value={minimumMbps}
        first={FIRST_MBPS}
        suffix=" Mbit/s"
        range={[0.1, 100_000, 1]}
        onChange={set('minimumMbps')}
      />
      <OptionalNumber
        label={t('share.label')}
        help={t('share.help')}
        name={t('share.value')}
        value={visitorPercent}
        first={FIRST_SHARE}
        suffix=" %"
        range={[0.1, 100, 1]}
        onChange={set('visitorPercent')}
      />
      <OptionalNumber
        label={t('ttl.label')}
        help={t('ttl.help')}
        name={t('ttl.value')}
        value={ttlSeconds}
        first={FIRST_TTL}
        suffix=" s"
        range={[30, 86_400, 0]}
        onChange={set('ttlSeconds')}
      />
      {byLatency && (
        <Checkbox
          label={t('options.requireAllData')}
          description={t('options.requireAllDataHelp')}
          checked={requireAllData}
          onChange={(event) => set('requireAllData')(event.currentTarget.checked)}
        />
      )}
      {byLatency && (
        <Checkbox
          label={t('throughput.prefer')}
          description={t('throughput.preferHelp')}
          checked={preferThroughput}
          onChange={(event) => set('preferThroughput')(event.currentTarget.checked)}
        />
      )}
      <Checkbox
        label={t('options.omitRum')}
        description={t('options.omitRumHelp')}
        checked={omitRum}
        onChange={(event) => set('omitRum')(event.currentTarget.checked)}
      />
      <Checkbox
        label={t('options.omitSum')}
        description={t('options.omitSumHelp')}
        checked={omitSum}
        onChange={(event) => set('omitSum')(event.currentTarget.checked)}
        error={omitRum && omitSum && whenNoData === 'pass' ? t('options.nothingLeft') : null}
      />
      <div className={classes.otherwise}>
        <NativeSelect
          label={t('fallback.whenNoData')}
          data={choices}
          value={whenNoData}
          onChange={(event) => set('whenNoData')(Otherwise.parse(event.currentTarget.value))}
        />
        <NativeSelect
          label={t('fallback.whenBelow')}
          data={choices}
          value={whenBelow}
          onChange={(event) => set('whenBelow')(Otherwise.parse(event.currentTarget.value))}
        />
      </div>
    </div>
  )
}

type OptionalNumberProps = {
  label: string
  help: string
  /** What the number is, for those who do not see where it stands. */
  name: string
  value: number | null
  /** What it begins with when it is switched on. */
  first: number
  suffix: string
  range: readonly [min: number, max: number, decimals: number]
  onChange: (value: number | null) => void
}

function OptionalNumber({ label, help, name, value, first, suffix, range, onChange }: OptionalNumberProps) {
  const [min, max, decimals] = range
  return (
    <div className={classes.threshold}>
      <Checkbox
        label={label}
        description={help}
        checked={value !== null}
        onChange={(event) => onChange(event.currentTarget.checked ? first : null)}
      />
      {value !== null && (
        <NumberInput
          className={classes.number}
          aria-label={name}
          value={value}
          suffix={suffix}
          min={min}
          max={max}
          decimalScale={decimals}
          step={1}
          clampBehavior="blur"
          hideControls={false}
          onChange={(next) => {
            if (typeof next === 'number' && next >= min && next <= max) onChange(next)
          }}
        />
      )}
    </div>
  )
}
