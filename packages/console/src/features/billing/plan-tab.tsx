import { billing, plans } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useFormat } from '../../i18n/format.ts'
import { useAccount, useCanCall } from '../../shell/access/session.ts'
import { Card } from '../../ui/page/card.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { AddOnsCard } from './add-ons-card.tsx'
import classes from './billing.module.css'
import { EstimateCard } from './estimate-card.tsx'
import { UsageCard } from './usage-card.tsx'
import { useMoney } from './use-money.ts'

type Month = 'current' | 'previous'

/** What the plan gives, what is used of it, and what that will cost. */
export function PlanTab({ month, onMonth }: { month: Month; onMonth: (month: Month) => void }) {
  const user = useAccount()
  return (
    <div className={classes.columns}>
      <div className={classes.stack}>
        <PlanCard />
        <UsageCard month={month} onMonth={onMonth} />
      </div>
      <div className={classes.stack}>
        <EstimateCard />
        {!user.hideFeature.includes('powerUps') && <AddOnsCard />}
      </div>
    </div>
  )
}

function PlanCard() {
  const { t } = useTranslation('billing')
  const format = useFormat()
  const user = useAccount()
  const canUpgrade = useCanCall(billing.routes.upgradePlan)
  const { data } = useRead(plans.routes.list, {}, { enabled: !user.hideFeature.includes('price') })
  const { data: trial } = useRead(billing.routes.trialInfo, {})
  const { data: quota } = useRead(billing.routes.quota, {})
  const money = useMoney(data?.currency ?? trial?.currency ?? 'USD')
  const plan = data?.data.find(({ current }) => current)
  return (
    <Card
      title={t('plan.title')}
      end={
        canUpgrade &&
        data?.data.some(({ upgrade }) => upgrade) && (
          <LinkButton to="/upgrade-plan" size="xs">
            {t('plan.upgrade')}
          </LinkButton>
        )
      }
    >
      <div className={classes.stack}>
        <div>
          <span className={classes.planName}>{user.plan.name}</span>
          {!user.hideFeature.includes('price') && (
            <div className={classes.quiet}>
              {/* Its line is kept until the price is known. */}
              {!plan
                ? '\u00a0'
                : plan.price.monthlyMinor === 0
                  ? t('plan.free')
                  : t('plan.monthly', { price: money(plan.price.monthlyMinor) })}
            </div>
          )}
        </div>
        {trial?.active && trial.over === null && trial.endsAt !== null && (
          <Notice tone="info" title={t('trial.left', { count: trial.daysLeft })}>
            {t('trial.credit', { amount: money(trial.creditLeftMinor), date: format.date(Date.parse(trial.endsAt)) })}
          </Notice>
        )}
        {trial?.active && trial.over !== null && (
          <Notice tone="warn" title={t('trial.over')}>
            {t(`trial.overBy.${trial.over}`)}
          </Notice>
        )}
        {!quota && <Skeleton height={60} />}
        {quota && (
          <dl className={classes.facts}>
            <dt>{t('quota.sites')}</dt>
            <dd className={classes.number}>
              {t('quota.of', { used: format.number(quota.zone_used), total: format.number(quota.zone_total) })}
            </dd>
            <dt>{t('quota.records')}</dt>
            <dd className={classes.number}>
              {t('quota.of', { used: format.number(quota.record_used), total: format.number(quota.record_total) })}
            </dd>
            <dt>{t('quota.cdns')}</dt>
            <dd className={classes.number}>
              {t('quota.of', { used: format.number(quota.cdn_used), total: format.number(quota.cdn_total) })}
            </dd>
          </dl>
        )}
      </div>
    </Card>
  )
}
