import type { Maximum, SecurityQuotas } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { usePlansAllowing } from '../welcome/use-plans-with.ts'
import { WayToPlans } from '../welcome/way-to-plans.tsx'
import classes from './quota.module.css'

/** What the plan bounds; all else the product does, and no plan allows more of it. */
const MAXIMA: Partial<Record<keyof SecurityQuotas, Maximum>> = {
  'access-control': 'accessEntriesPerDomain',
  'firewall-rules': 'firewallRulesPerDomain',
  'api-protection': 'apiProtectionRulesPerDomain',
}

/** Nothing where no plan to go over to allows more. */
export function MoreAllowed({ part, most }: { part: keyof SecurityQuotas; most: number }) {
  const { t, i18n } = useTranslation('web-security')
  const format = useFormat()
  const plans = usePlansAllowing('waf.enable', MAXIMA[part] ?? null, most)
  if (plans.length === 0) return null
  const named = plans.map((plan) => t('quota.plan', { name: plan.name, most: format.number(plan.most) }))
  return (
    <div className={classes.more}>
      <p>{t('quota.more', { plans: new Intl.ListFormat(i18n.language, { type: 'disjunction' }).format(named) })}</p>
      <WayToPlans />
    </div>
  )
}
