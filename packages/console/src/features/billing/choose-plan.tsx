import { type Plan, billing } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import classes from './billing.module.css'
import { ContactSales } from './contact-sales.tsx'
import { QuoteSummary } from './quote-summary.tsx'
import { useBillingChange } from './use-billing-change.ts'

const CardDialog = onDemand(async () => (await import('./card-dialog.tsx')).CardDialog)

type ChoosePlanProps = {
  plan: Plan
  route: typeof billing.routes.subscribe | typeof billing.routes.upgradePlan
  onDone: (plan: Plan) => void
}

/** What the chosen plan costs now, the card when one is needed, and the last button. */
export function ChoosePlan({ plan, route, onDone }: ChoosePlanProps) {
  const { t } = useTranslation('billing')
  const { data: quote, error, refetch } = useRead(billing.routes.upgradeInfo, { planId: plan.id })
  const { data: customer } = useRead(billing.routes.me, {})
  const [adding, setAdding] = useState(false)
  const choose = useBillingChange(route, () => onDone(plan))
  const isTrial = plan.category === 'trial'
  const needsCard = plan.category === 'standard' && customer?.card === null
  const missesCredit = plan.category === 'contract' && (quote?.dueMinor ?? 0) > 0
  return (
    <Card title={t('choose.title', { plan: plan.name })}>
      <div className={`${classes.stack} ${classes.narrow}`}>
        {choose.error && <FailureNotice title={t('choose.failed')} error={choose.error} />}
        {error && !quote && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!quote && !error && <Skeleton height={120} />}
        {quote && !isTrial && !missesCredit && <QuoteSummary quote={quote} />}
        {isTrial && <p>{t('choose.trial')}</p>}
        {missesCredit && <ContactSales plan={plan} />}
        {!missesCredit && (
          <div className={classes.buttons}>
            {needsCard ? (
              <Button onClick={() => setAdding(true)}>{t('choose.card')}</Button>
            ) : (
              <Button
                loading={choose.isPending}
                disabled={!quote || !customer}
                onClick={() => choose.mutate({ planId: plan.id })}
              >
                {t(isTrial ? 'choose.start' : 'choose.pay', { plan: plan.name })}
              </Button>
            )}
          </div>
        )}
      </div>
      <CardDialog opened={adding} onClose={() => setAdding(false)} address={customer?.address ?? null} />
    </Card>
  )
}
