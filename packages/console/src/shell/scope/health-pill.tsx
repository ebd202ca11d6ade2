import { overview } from '@fairway/contract'
import type { Domain, Site } from '@fairway/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { Pill } from '../../ui/marks/status-pill.tsx'
import classes from './health-pill.module.css'

/** Are the CDNs of this place well, in words; leads to Home, which says more. */
export function HealthPill({ site, domain }: { site: Site; domain: Domain | null }) {
  const { t } = useTranslation('shell')
  const { data } = useRead(overview.routes.get, domain ? { site: site.id, domain: domain.id } : { site: site.id }, {
    everyMs: 15_000,
  })
  if (!data || data.cdns.length === 0) return null
  const total = data.cdns.length
  const down = data.cdns.filter(({ hardDown }) => hardDown)
  const [first] = down
  const tone = down.length === 0 ? 'ok' : down.length === total ? 'bad' : 'warn'
  const text =
    first === undefined
      ? t('strip.allWell', { count: total })
      : down.length === 1
        ? t('strip.oneDown', { name: first.name })
        : t('strip.someDown', { count: down.length, total })
  return (
    <Link className={classes.link} to="/$site/{-$domain}/home" params={{ site: site.domainName, domain: domain?.name }}>
      <Pill tone={tone}>{text}</Pill>
    </Link>
  )
}
