import { billing, plans } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import classes from './billing.module.css'
import { ChoosePlan } from './choose-plan.tsx'
import { PlanCards } from './plan-cards.tsx'

/** From this plan to a higher one, with what it costs before it is done. */
export function UpgradePlanScreen() {
  const { t } = useTranslation('billing')
  const { plan: wanted } = useSearch({ from: '/shell/upgrade-plan' })
  const navigate = useNavigate({ from: '/upgrade-plan' })
  const show = useSnackbar()
  const { data, error, refetch } = useRead(plans.routes.list, {})
  const chosen = data?.data.find(({ id, upgrade }) => id === wanted && upgrade)
  return (
    <>
      <PageHeader title={t('upgrade.title')} meaning={t('upgrade.meaning')} />
      <Gate route={billing.routes.upgradePlan} meaning={t('upgrade.meaning')}>
        <div className={classes.stack}>
          {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton height={380} radius="lg" />}
          {data && (
            <PlanCards
              plans={data.data}
              currency={data.currency}
              chosen={chosen?.id}
              action={({ id, category, upgrade }) =>
                upgrade && (
                  <Button
                    variant={id === wanted ? 'filled' : 'default'}
                    fullWidth
                    aria-pressed={id === wanted}
                    onClick={() => void navigate({ search: (before) => ({ ...before, plan: id }), replace: true })}
                  >
                    {t(category === 'contract' ? 'sales.contact' : 'select.choose')}
                  </Button>
                )
              }
            />
          )}
          {chosen && (
            <ChoosePlan
              key={chosen.id}
              plan={chosen}
              route={billing.routes.upgradePlan}
              onDone={({ name }) => {
                show('plan', { message: t('upgrade.done', { plan: name }) })
                void navigate({ to: '/account/billing/{-$type}', params: { type: 'plan' }, search: {} })
              }}
            />
          )}
        </div>
      </Gate>
    </>
  )
}
