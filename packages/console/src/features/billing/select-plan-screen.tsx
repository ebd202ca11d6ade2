import { billing, plans } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { BlankLayout } from '../../shell/layouts/blank-layout.tsx'
import { accountRead } from '../../shell/access/session.ts'
import { useGoToStart } from '../../shell/guards/use-go-to-start.ts'
import { useSignOut } from '../../shell/bar/use-sign-out.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import classes from './billing.module.css'
import { ChoosePlan } from './choose-plan.tsx'
import { PlanCards } from './plan-cards.tsx'

/** The first choice: the free trial, or a plan with its payment method. */
export function SelectPlanScreen() {
  const { t } = useTranslation(['billing', 'shell'])
  const { plan: wanted } = useSearch({ from: '/select-plan' })
  const navigate = useNavigate({ from: '/select-plan' })
  const goToStart = useGoToStart()
  const queryClient = useQueryClient()
  const signOut = useSignOut()
  const { data, error, refetch } = useRead(plans.routes.list, {})
  const chosen = data?.data.find(({ id }) => id === wanted)
  const done = async () => {
    await queryClient.resetQueries({ queryKey: accountRead.queryKey })
    await goToStart()
  }
  return (
    <BlankLayout look="page" wayIn={false}>
      <div className={classes.middle}>
        <PageHeader
          title={t('select.title')}
          meaning={t('select.meaning')}
          actions={
            <Button variant="subtle" onClick={() => void signOut()}>
              {t('shell:account.signOut')}
            </Button>
          }
        />
        {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
        {!data && !error && <Skeleton height={380} radius="lg" />}
        {data && (
          <PlanCards
            plans={data.data}
            currency={data.currency}
            chosen={wanted}
            action={({ id, trialDays }) => (
              <Button
                variant={id === wanted ? 'filled' : 'default'}
                fullWidth
                aria-pressed={id === wanted}
                onClick={() => void navigate({ search: { plan: id }, replace: true })}
              >
                {t(trialDays > 0 ? 'select.try' : 'select.choose')}
              </Button>
            )}
          />
        )}
        {chosen && (
          <ChoosePlan key={chosen.id} plan={chosen} route={billing.routes.subscribe} onDone={() => void done()} />
        )}
      </div>
    </BlankLayout>
  )
}
