import type { PowerUp } from '@fairway/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../../shell/access/session.ts'
import { Pill, StatusPill } from '../../ui/marks/status-pill.tsx'
import { useMoney } from '../billing/use-money.ts'
import { PowerUpMark } from './power-up-mark.tsx'
import { usePowerUpWords } from './power-up-words.ts'
import classes from './power-up-card.module.css'

/** One thing of the catalogue; all of it leads to its details. */
export function PowerUpCard({ powerUp, currency }: { powerUp: PowerUp; currency: string }) {
  const { t } = useTranslation('power-ups')
  const { nameOf, introductionOf, featuresOf } = usePowerUpWords()
  const features = featuresOf(powerUp)
  return (
    <li className={classes.card}>
      <div className={classes.head}>
        <PowerUpMark powerUp={powerUp} />
        <div className={classes.words}>
          <h2 className={classes.name}>
            <Link
              from="/marketplace/{-$category}/{-$childCategory}"
              to="."
              search={(before) => ({ ...before, open: powerUp.id })}
              className={classes.link}
            >
              {nameOf(powerUp)}
            </Link>
          </h2>
          <span className={classes.quiet}>{t(`category.${powerUp.category}`)}</span>
        </div>
      </div>
      <p className={classes.text}>{introductionOf(powerUp)}</p>
      {features.length > 0 && (
        <ul className={classes.features}>
          {features.map((feature) => (
            <li key={feature}>{feature}</li>
          ))}
        </ul>
      )}
      <div className={classes.foot}>
        <Standing powerUp={powerUp} />
        <Price powerUp={powerUp} currency={currency} />
      </div>
    </li>
  )
}

/** Where it stands for this organisation: installed in some state, part of the plan, or what it still needs. */
export function Standing({ powerUp: { status, needs, included, installs, kind } }: { powerUp: PowerUp }) {
  const { t } = useTranslation('power-ups')
  if (status !== null)
    return (
      <span className={classes.standing}>
        <StatusPill state={status} />
        {kind === 'cdn' && <span className={classes.quiet}>{t('onDomains', { count: installs })}</span>}
      </span>
    )
  if (included) return <Pill tone="ok">{t('included')}</Pill>
  if (needs !== null) return <Pill tone="neutral">{t(`needs.${needs}`)}</Pill>
  return <Pill tone="neutral">{t('available')}</Pill>
}

function Price({ powerUp: { monthlyMinor, type, kind }, currency }: { powerUp: PowerUp; currency: string }) {
  const { t } = useTranslation('power-ups')
  const money = useMoney(currency)
  const { hideFeature } = useAccount()
  if (hideFeature.includes('price')) return null
  if (monthlyMinor !== null)
    return <span className={classes.price}>{t('monthly', { price: money(monthlyMinor) })}</span>
  const isOwners = kind === 'vendor' || type === 'custom'
  return <span className={classes.quiet}>{t(isOwners ? 'byOwner' : 'byUse')}</span>
}
