import type { Domain, Site } from '@fairway/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { TONE_OF_CONDITION } from '../../ui/marks/condition-pill.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './health-pill.module.css'
import { usePlaceHealth } from './use-place-health.ts'

/** Are origin and CDNs of this place well: the worst of them, with its number; leads to Home, which says more. */
export function HealthPill({ site, domain }: { site: Site; domain: Domain | null }) {
  const { t } = useTranslation('condition')
  const health = usePlaceHealth(site, domain)
  if (health === null) return null
  const { state, word, count, total } = health
  return (
    <Link className={classes.link} to="/$site/{-$domain}/home" params={{ site: site.domainName, domain: domain?.name }}>
      <Pill tone={TONE_OF_CONDITION[state]}>{t(`strip.${word}`, { count, total })}</Pill>
    </Link>
  )
}
