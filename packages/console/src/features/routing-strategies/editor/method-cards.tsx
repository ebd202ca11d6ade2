import { SteeringMethod } from '@fairway/contract'
import { METHOD_FEATURES } from '@fairway/domain'
import {
  IconArrowsSplit,
  IconBolt,
  IconListNumbers,
  IconLock,
  IconMap2,
  IconPin,
  IconShieldCheck,
} from '@tabler/icons-react'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../shell/access/session.ts'
import classes from './method-cards.module.css'

const ICONS: Record<SteeringMethod, typeof IconBolt> = {
  'best-latency': IconBolt,
  'best-availability': IconShieldCheck,
  'weighted-distribution': IconArrowsSplit,
  'static-route': IconListNumbers,
  'always-use': IconPin,
  'regional-latency': IconMap2,
}
/** In the order in which they are offered; the first that the plan allows is what a new strategy begins with. */
export const METHODS = [
  'best-latency',
  'best-availability',
  'weighted-distribution',
  'regional-latency',
  'static-route',
  'always-use',
] as const satisfies readonly SteeringMethod[]

/** The six methods, each with what it means. One that the plan lacks can be read about, not chosen. */
export function MethodCards({
  value,
  onChange,
}: {
  value: SteeringMethod
  onChange: (method: SteeringMethod) => void
}) {
  const { t } = useTranslation('routing-strategies')
  const { plan } = useAccount()
  const name = useId()
  return (
    <div className={classes.cards} role="radiogroup" aria-label={t('section.method')}>
      {METHODS.map((method) => {
        const Icon = ICONS[method]
        const feature = METHOD_FEATURES[method]
        const isLocked = !plan.ability.includes(feature)
        return (
          <label
            key={method}
            className={classes.card}
            data-chosen={value === method || undefined}
            data-locked={isLocked || undefined}
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              value={method}
              checked={value === method}
              disabled={isLocked}
              onChange={() => onChange(method)}
            />
            <Icon className={classes.icon} size={18} stroke={1.6} aria-hidden />
            <span className={classes.name}>
              {t(`method.${method}.name`)}
              {isLocked && <IconLock size={13} stroke={1.8} aria-label={t('notInPlan')} />}
            </span>
            <span className={classes.meaning}>{t(`method.${method}.meaning`)}</span>
          </label>
        )
      })}
    </div>
  )
}
