import { useTranslation } from 'react-i18next'
import { useAccount } from '../../shell/access/session.ts'
import { PATHS } from '../../shell/nav/paths.ts'
import { useIsBuilt } from '../../shell/nav/use-navigation.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import classes from './product-screen.module.css'

/** Leads to the plans who may change the organisation's, and tells others whom to ask. */
export function WayToPlans() {
  const { t } = useTranslation('welcome')
  const user = useAccount()
  const isBuilt = useIsBuilt()
  const canUpgrade =
    isBuilt(PATHS.upgradePlan) && user.permissions.includes('EditSubscription') && !user.hideFeature.includes('price')
  if (!canUpgrade) return t('askForPlan')
  return (
    <div className={classes.actions}>
      <LinkButton to={PATHS.upgradePlan} size="xs">
        {t('upgrade')}
      </LinkButton>
    </div>
  )
}
