import type { Permission } from '@fairway/contract'
import { IconLock } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import classes from './gate.module.css'
import { useAccount } from './session.ts'

type GateProps = {
  /** The call that the screen stands on; its own declaration says who may. */
  route: { permission: Permission; planFeature?: string }
  /** What the feature is for, in one sentence: shown when the plan lacks it. */
  meaning: string
  children: ReactNode
}

/** Shows a screen to those who may see it, and tells the others why they do not. */
export function Gate({ route: { permission, planFeature }, meaning, children }: GateProps) {
  const { t } = useTranslation('guide')
  const user = useAccount()
  if (
    permission !== 'public' &&
    permission !== 'signed-in' &&
    !(permission === 'operator' ? user.isOperator : user.permissions.includes(permission))
  ) {
    return (
      <Card>
        <EmptyTeach title={t('forbidden')} text={t('forbiddenText')}>
          <Lock />
        </EmptyTeach>
      </Card>
    )
  }
  if (planFeature !== undefined && !user.plan.ability.includes(planFeature)) {
    return (
      <Card>
        <EmptyTeach title={meaning} text={t('notInPlan', { plan: user.plan.name })}>
          <Lock />
        </EmptyTeach>
      </Card>
    )
  }
  return children
}

const Lock = () => <IconLock className={classes.lock} size={28} stroke={1.4} aria-hidden />
