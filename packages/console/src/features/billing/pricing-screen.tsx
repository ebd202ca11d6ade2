import { plans } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { BlankLayout } from '../../shell/layouts/blank-layout.tsx'
import { useKnownAccount } from '../../shell/access/session.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from './billing.module.css'
import { ContactButton } from '../contact-form/contact-button.tsx'
import { PlanCards } from './plan-cards.tsx'

/** The plans and their prices, for anybody. */
export function PricingScreen() {
  const { t } = useTranslation('billing')
  const isSignedIn = useKnownAccount() !== null
  const { data, error, refetch } = useRead(isSignedIn ? plans.routes.list : plans.routes.offers, {})
  return (
    <BlankLayout look="page">
      <div className={classes.middle}>
        <PageHeader title={t('pricing.title')} meaning={t('pricing.meaning')} />
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={380} radius="lg" />}
        {data && (
          <PlanCards
            plans={data.data}
            currency={data.currency}
            action={({ id, category, upgrade }) => {
              if (!isSignedIn)
                return category === 'contract' ? (
                  <ContactButton />
                ) : (
                  <LinkButton to="/signup" variant="default" fullWidth>
                    {t('pricing.signUp')}
                  </LinkButton>
                )
              return (
                upgrade && (
                  <LinkButton to="/upgrade-plan" search={{ plan: id }} variant="default" fullWidth>
                    {t(category === 'contract' ? 'sales.contact' : 'plan.upgrade')}
                  </LinkButton>
                )
              )
            }}
          />
        )}
      </div>
    </BlankLayout>
  )
}
