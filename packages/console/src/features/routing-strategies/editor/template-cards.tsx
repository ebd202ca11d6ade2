import type { DomainCdn } from '@fairway/contract'
import { UnstyledButton } from '@mantine/core'
import { IconLock } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../../shell/access/session.ts'
import classes from './template-cards.module.css'
import { AIMS, type Filled, filledFor, needsOf } from './templates.ts'

/** Usual aims, each with what it does in a sentence. One that the plan lacks can be read about, not chosen. */
export function TemplateCards({
  cdns,
  onChoose,
}: {
  cdns: readonly DomainCdn[]
  onChoose: (fields: Filled, name: string) => void
}) {
  const { t } = useTranslation('routing-strategies')
  const { plan } = useAccount()
  return (
    <ul className={classes.cards}>
      {AIMS.map((aim) => {
        const isLocked = !needsOf(aim).every((one) => plan.ability.includes(one))
        return (
          <li key={aim}>
            <UnstyledButton
              className={classes.card}
              disabled={isLocked}
              onClick={() => onChoose(filledFor(aim, cdns), t(`template.${aim}.name`))}
            >
              <span className={classes.name}>
                {t(`template.${aim}.name`)}
                {isLocked && <IconLock size={13} stroke={1.8} aria-label={t('notInPlan')} />}
              </span>
              <span className={classes.meaning}>{t(`template.${aim}.meaning`)}</span>
            </UnstyledButton>
          </li>
        )
      })}
    </ul>
  )
}
