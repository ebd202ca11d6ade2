import type { ErrorReporting } from '@fairway/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CdnName } from '../../ui/marks/cdn-name.tsx'
import { Pill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import classes from './screen.module.css'

/** Which CDNs of the domain ask browsers to report failed requests, and what keeps browsers from doing so. */
export function ErrorReportsCard({ reporting: { on, secure, cdns } }: { reporting: ErrorReporting }) {
  const { t } = useTranslation('data-feeds')
  const { lookOf } = useCdnLooks()
  return (
    <Card title={t('reports.title')} hint={t(on ? 'reports.on' : 'reports.off')}>
      <div className={classes.moves}>
        <p className={classes.about}>
          {t('reports.about')}{' '}
          <Link to="/$site/{-$domain}/general-settings" from="/$site/{-$domain}/dem/data-feeds">
            {t('reports.change')}
          </Link>
        </p>
        {on && !secure && <Notice tone="warn">{t('reports.insecure')}</Notice>}
        <ul className={classes.asking}>
          {cdns.map(({ cdnId, asks }) => (
            <li key={cdnId}>
              <CdnName name={lookOf(cdnId).name} series={lookOf(cdnId).series} />
              <Pill tone={asks && on ? 'ok' : 'neutral'}>
                {t(asks ? (on ? 'reports.asks' : 'reports.could') : 'reports.cannot')}
              </Pill>
            </li>
          ))}
        </ul>
      </div>
    </Card>
  )
}
