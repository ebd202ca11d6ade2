import { type UsageItem, billing } from '@fairway/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import classes from './plan-usage.module.css'
import { useAccount, useCanCall } from '../access/session.ts'

const EVERY_MS = 300_000
const DAY_MS = 86_400_000
/** What most plans bound, in the order of the card. */
const SHOWN = ['dnsQuery', 'cdnTraffic'] as const
/** From here on the bar says that the end is near. */
const NEAR_PERCENT = 90

/** What the plan includes this month and how much of it is used, at the foot of the navigation; leads to the plan. */
export function PlanUsage() {
  const { t } = useTranslation('shell')
  const { plan } = useAccount()
  const mayRead = useCanCall(billing.routes.usage)
  const { data } = useRead(billing.routes.usage, { month: 'current' }, { enabled: mayRead, everyMs: EVERY_MS })
  const items = SHOWN.flatMap((type) => data?.items.find((item) => item.type === type) ?? [])
  if (!mayRead || data === undefined || items.length === 0) return null
  const days = Math.max(0, Math.ceil((Date.parse(data.until) - Date.now()) / DAY_MS))
  return (
    <Link to="/account/billing/{-$type}" params={{ type: 'plan' }} className={classes.card}>
      <span className={classes.head}>
        <span className={classes.plan}>{t('usage.plan', { name: plan.name })}</span>
        <span className={classes.quiet}>{t('usage.daysLeft', { count: days })}</span>
      </span>
      {items.map((item) => (
        <Usage key={item.type} item={item} />
      ))}
    </Link>
  )
}

function Usage({ item: { type, used, quota, progress, unit, overUsage } }: { item: UsageItem }) {
  const { t } = useTranslation('shell')
  const format = useFormat()
  const amount = unit === 'bytes' ? format.bytes : format.compact
  return (
    <span className={classes.meter} data-near={overUsage || progress >= NEAR_PERCENT || undefined}>
      <span className={classes.line}>
        <span>{t(`usage.type.${type}`)}</span>
        <span className="num">
          {quota === null ? amount(used) : t('usage.of', { used: amount(used), total: amount(quota) })}
        </span>
      </span>
      {quota !== null && (
        <span className={classes.bar} aria-hidden>
          <span className={classes.fill} style={{ width: `${Math.min(100, progress)}%` }} />
        </span>
      )}
      {overUsage && (
        <span className={classes.over}>{t('usage.over', { percent: format.percent(progress - 100) })}</span>
      )}
    </span>
  )
}
