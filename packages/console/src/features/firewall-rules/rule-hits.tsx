import type { FirewallRule } from '@fairway/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useScope } from '../../shell/scope/scope.ts'
import classes from './rule-hits.module.css'

/** How often a rule fitted, and when last; leads to those requests. What is not known is no nought. */
export function RuleHits({ rule: { id, hits, lastHitAt } }: { rule: FirewallRule }) {
  const { t } = useTranslation('firewall-rules')
  const format = useFormat()
  const { site, domain } = useScope()
  if (hits === null)
    return (
      <p className={classes.hits} title={t('hitsUnknown')}>
        —
      </p>
    )
  if (hits === 0) return <p className={classes.hits}>{t('noHits')}</p>
  return (
    <p className={classes.hits}>
      <Link
        to="/$site/{-$domain}/analytics/origin-shield/{-$tab}"
        params={{ site: site.domainName, domain: domain?.name, tab: 'threat-log' }}
        search={{ rule: id, range: '30d' }}
        className={classes.link}
      >
        {t('hits', { count: hits, number: format.compact(hits) })}
      </Link>
      {lastHitAt !== null && (
        <span title={format.exact(Date.parse(lastHitAt))}>
          {' · '}
          {t('lastHit', { time: format.ago(Date.parse(lastHitAt), Date.now(), true) })}
        </span>
      )}
    </p>
  )
}
