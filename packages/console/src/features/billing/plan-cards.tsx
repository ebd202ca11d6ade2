import type { Meter, Plan, PlanFeature } from '@fairway/contract'
import { IconCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './billing.module.css'
import { usePrice } from './use-money.ts'

type PlanCardsProps = {
  plans: readonly Plan[]
  currency: string
  chosen?: string | undefined
  /** What can be done with a plan, at the foot of its card. */ action: (plan: Plan) => ReactNode
}

/** What a plan can do, told apart as people choose by it. */
const GROUPS = {
  multiCdn: [
    'multiCdn.enable',
    'dns.cnameFlattening',
    'zone.wildcard',
    'zone.websocket',
    'ssl.zeroSSL',
    'cache.honorOrigin',
    'cache.advancedRules',
    'byoCdn.enable',
  ],
  aiLoadBalancing: ['dns.staticRouting', 'dns.dynamicRouting', 'dns.geoFilter', 'dns.vsr'],
  security: ['waf.enable', 'waf.acl.geo'],
  video: ['vsp.enable'],
  bulkConfig: ['teammate.enable', 'bulkConfig.enable'],
} as const satisfies Record<string, readonly PlanFeature[]>

/** Agreed with sales: a price that nobody can pay here is not shown. */
const isAgreed = ({ category, current }: Plan): boolean => category === 'contract' && !current

/** The plans beside each other: price, what is included, what more costs. Everything is the operator's data. */
export function PlanCards({ plans, currency, chosen, action }: PlanCardsProps) {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const money = usePrice(currency)
  return (
    <div className={classes.plans}>
      {plans.map((plan) => (
        <article
          key={plan.id}
          className={classes.plan}
          data-chosen={plan.id === chosen || undefined}
          aria-label={plan.name}
        >
          <div className={classes.planHead}>
            <h2 className={classes.planName}>{plan.name}</h2>
            {plan.current && <Pill tone="ok">{t('plans.current')}</Pill>}
          </div>
          <div className={classes.price}>
            <span className={classes.figure}>
              {isAgreed(plan)
                ? t('plans.agreed')
                : plan.price.monthlyMinor === 0
                  ? t('plans.free')
                  : money(plan.price.monthlyMinor)}
            </span>
            {plan.price.monthlyMinor > 0 && !isAgreed(plan) && (
              <span className={classes.quiet}>{t('plans.perMonth')}</span>
            )}
          </div>
          <ul className={classes.list}>
            {factsOf(plan).map((fact) => (
              <li key={fact}>
                <IconCheck size={15} stroke={2} aria-hidden />
                {fact}
              </li>
            ))}
          </ul>
          {Object.entries(GROUPS).map(([group, features]) => {
            const had = features.filter((feature) => plan.ability.includes(feature))
            return (
              had.length > 0 && (
                <section key={group} className={classes.group}>
                  <h3 className={classes.groupName}>{t(`plans.group.${group as keyof typeof GROUPS}`)}</h3>
                  <ul className={classes.list}>
                    {had.map((feature) => (
                      <li key={feature}>
                        <IconCheck size={15} stroke={2} aria-hidden />
                        {t(`plans.ability.${feature}`)}
                      </li>
                    ))}
                  </ul>
                </section>
              )
            )
          })}
          <div className={classes.foot}>{action(plan)}</div>
        </article>
      ))}
    </div>
  )

  function factsOf(plan: Plan): string[] {
    const {
      trialDays,
      trialCreditMinor,
      allowances,
      siteLimit,
      recordLimit,
      cdnLimit,
      minimumTtlSeconds,
      price: { rates },
    } = plan
    const included = (meter: Meter) => {
      const amount = meter === 'cdnTraffic' ? format.bytes : format.compact
      const [most, rate] = [allowances[meter], rates[meter]]
      if (most === undefined) return []
      const name = t(`plans.of.${meter}`, { amount: amount(most) })
      return [
        rate && !isAgreed(plan) ? t('plans.then', { name, price: money(rate.minor), units: amount(rate.units) }) : name,
      ]
    }
    return [
      ...(trialCreditMinor > 0 ? [t('plans.trial', { amount: money(trialCreditMinor), days: trialDays })] : []),
      t('plans.cdns', { count: cdnLimit, shown: format.number(cdnLimit) }),
      t('plans.records', { count: recordLimit, shown: format.number(recordLimit) }),
      t('plans.sites', { count: siteLimit, shown: format.number(siteLimit) }),
      ...included('dnsQuery'),
      ...included('chinaDnsQuery'),
      ...included('cdnTraffic'),
      ...included('cdnRequest'),
      ...included('streamView'),
      ...included('liveMinute'),
      ...included('encodedMinute'),
      ...included('storedMinute'),
      t('plans.ttl', { seconds: minimumTtlSeconds }),
      t('plans.rum'),
    ]
  }
}
