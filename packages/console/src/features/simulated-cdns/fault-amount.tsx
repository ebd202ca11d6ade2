import type { SimulatedFault } from '@fairway/contract'
import { Slider } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import classes from './fault-card.module.css'

type FaultAmountProps = {
  fault: SimulatedFault
  canSet: boolean
  name: string
  onApply: (fault: SimulatedFault) => void
}

const SLOW = { min: 50, max: 3000, step: 50 }
const ERRORS = { min: 5, max: 100, step: 5 }

/** How slow, or how many errors; set when the slider is let go. */
export function FaultAmount({ fault, canSet, name, onApply }: FaultAmountProps) {
  const { t } = useTranslation('simulated-cdns')
  const format = useFormat()
  const [value, setValue] = useState(fault.mode === 'slow' ? fault.addMs : fault.mode === 'errors' ? fault.percent : 0)
  if (fault.mode !== 'slow' && fault.mode !== 'errors')
    return <p className={classes.amount}>{t(`says.${fault.mode}`)}</p>
  const isSlow = fault.mode === 'slow'
  const text = isSlow
    ? t('slowBy', { value: format.milliseconds(value) })
    : t('errorsOf', { value: format.percent(value) })
  return (
    <div className={classes.amount}>
      <span className={classes.amountText} aria-hidden="true">
        {text}
      </span>
      <Slider
        thumbLabel={t(isSlow ? 'slowLabel' : 'errorsLabel', { name })}
        label={null}
        disabled={!canSet}
        value={value}
        {...(isSlow ? SLOW : ERRORS)}
        onChange={setValue}
        size={6}
        thumbSize={18}
        onChangeEnd={(end) => onApply(isSlow ? { mode: 'slow', addMs: end } : { mode: 'errors', percent: end })}
      />
    </div>
  )
}
