import { Checkbox, NumberInput } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import classes from './option-fields.module.css'
import type { StrategyDraft } from './strategy-draft.ts'

const USUAL_THRESHOLD = 90

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
  } = draft
  const byLatency = method === 'best-latency' || method === 'regional-latency'
  return (
    <div className={classes.fields}>
      <div className={classes.threshold}>
        <Checkbox
          label={t('threshold.label')}
          description={t('threshold.help')}
          checked={availabilityThreshold !== null}
          onChange={(event) => set('availabilityThreshold')(event.currentTarget.checked ? USUAL_THRESHOLD : null)}
        />
        {availabilityThreshold !== null && (
          <NumberInput
            className={classes.number}
            aria-label={t('threshold.value')}
            value={availabilityThreshold}
            suffix=" %"
            min={0}
            max={100}
            decimalScale={2}
            step={1}
            clampBehavior="strict"
            hideControls={false}
            onChange={(value) => {
              if (typeof value === 'number') set('availabilityThreshold')(value)
            }}
          />
        )}
      </div>
      {byLatency && (
        <Checkbox
          label={t('options.requireAllData')}
          description={t('options.requireAllDataHelp')}
          checked={requireAllData}
          onChange={(event) => set('requireAllData')(event.currentTarget.checked)}
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
        error={omitRum && omitSum ? t('options.nothingLeft') : null}
      />
    </div>
  )
}
