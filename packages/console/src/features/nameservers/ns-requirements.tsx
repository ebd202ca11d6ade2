import type { NsStatus } from '@fairway/contract'
import { IconCheck, IconMinus, IconX } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import classes from './nameserver-card.module.css'

/** The requirements of the delegation one by one, and how much of each set of nameservers the parent names. */
export function NsRequirements({ status }: { status: NsStatus }) {
  const { t } = useTranslation('nameservers')
  return (
    <>
      <ul className={classes.requirements} aria-label={t('requirements')}>
        {status.requirements.map(({ requirement, met }) => {
          const state = met === null ? 'unknown' : met ? 'met' : 'missing'
          const Icon = met === null ? IconMinus : met ? IconCheck : IconX
          return (
            <li key={requirement} className={classes.requirement} data-state={state}>
              <Icon size={15} stroke={2} aria-hidden />
              <span>
                {t(`requirement.${requirement}`)}
                <span className="sr-only"> · {t(`met.${state}`)}</span>
              </span>
            </li>
          )
        })}
      </ul>
      <p className={classes.quiet}>
        {status.sets.map(({ set, named, total }) => t(`set.${set}`, { named: named.length, total })).join(' · ')}
      </p>
    </>
  )
}
