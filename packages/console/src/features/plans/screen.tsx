import { plans } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { useLocalText, useMoney } from '../billing/use-money.ts'
import { CouponsCard } from './coupons-card.tsx'
import classes from './plans.module.css'
import { PricingDrawer } from './pricing-drawer.tsx'
import { TaxCard } from './tax-card.tsx'
import { usePlansChange } from './use-plans-change.ts'

/** Prices are listed in this one; others are edited in the drawer. */
const LISTED_CURRENCY = 'USD'

/** What is sold and for how much: plans, add-ons, coupons, taxes. All of it is data. */
export function PricingDataScreen() {
  const { t } = useTranslation('plans')
  return (
    <>
      <PageHeader title={t('title')} meaning={t('meaning')} />
      <Gate route={plans.routes.pricing} meaning={t('meaning')}>
        <div className={classes.columns}>
          <div className={classes.stack}>
            <PlansCard />
            <AddOnsCard />
          </div>
          <div className={classes.stack}>
            <CouponsCard />
            <TaxCard />
          </div>
        </div>
      </Gate>
    </>
  )
}

function PlansCard() {
  const { t } = useTranslation('plans')
  const { plan: open } = useSearch({ from: '/shell/operator/pricing' })
  const navigate = useNavigate({ from: '/operator/pricing' })
  const money = useMoney(LISTED_CURRENCY)
  const { data, error, refetch } = useRead(plans.routes.pricing, {})
  const set = (plan: string | undefined) => void navigate({ search: (before) => ({ ...before, plan }), replace: true })
  if (error && !data) return <ErrorState error={error} onRetry={() => void refetch()} />
  return (
    <Card title={t('plans')}>
      {!data && <Skeleton height={160} />}
      {data?.data.map((plan) => (
        <div key={plan.id} className={classes.row}>
          <div>
            <span className={classes.name}>{plan.name}</span>{' '}
            {!plan.offered && <Pill tone="neutral">{t('notOffered')}</Pill>}
            <div className={classes.quiet}>
              {t(`category.${plan.category}`)} ·{' '}
              {t('perMonth', { price: money(plan.prices[LISTED_CURRENCY]?.monthlyMinor ?? 0) })}
            </div>
          </div>
          <Button variant="default" size="xs" aria-label={`${t('edit')} ${plan.name}`} onClick={() => set(plan.id)}>
            {t('edit')}
          </Button>
        </div>
      ))}
      <PricingDrawer plan={data?.data.find(({ id }) => id === open)} onClose={() => set(undefined)} />
    </Card>
  )
}

function AddOnsCard() {
  const { t } = useTranslation('plans')
  const money = useMoney(LISTED_CURRENCY)
  const text = useLocalText()
  const { data } = useRead(plans.routes.storedAddOns, {})
  const save = usePlansChange(plans.routes.setAddOn, () => {})
  return (
    <Card title={t('addOns')}>
      {!data && <Skeleton height={120} />}
      {data?.data.map(({ id, ...addOn }) => (
        <div key={id} className={classes.row}>
          <div>
            <span className={classes.name}>{text(addOn.name)}</span>{' '}
            {!addOn.offered && <Pill tone="neutral">{t('notOffered')}</Pill>}
            <div className={classes.quiet}>
              {t('perMonth', { price: money(addOn.prices[LISTED_CURRENCY]?.monthlyMinor ?? 0) })}
            </div>
          </div>
          <Button
            variant="default"
            size="xs"
            aria-label={`${t(addOn.offered ? 'withdraw' : 'offer')} ${text(addOn.name)}`}
            onClick={() => save.mutate({ addon: id, ...addOn, offered: !addOn.offered })}
          >
            {t(addOn.offered ? 'withdraw' : 'offer')}
          </Button>
        </div>
      ))}
    </Card>
  )
}
