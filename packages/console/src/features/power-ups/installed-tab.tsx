import { type PowerUpDetail, cdnManagement } from '@fairway/contract'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { InstallOnDomain } from './install-on-domain.tsx'
import classes from './power-ups.module.css'

/** Where it is, and a way to have it on another domain. */
export function InstalledTab({ powerUp }: { powerUp: PowerUpDetail }) {
  const { t } = useTranslation('power-ups')
  const format = useFormat()
  const canInstall = useCanCall(cdnManagement.routes.install)
  const { installed, kind, needs } = powerUp
  return (
    <div className={classes.stack}>
      {installed.length === 0 && (
        <p className={classes.quiet}>{t(kind === 'add-on' ? 'notInstalled' : 'onNoDomain')}</p>
      )}
      {installed.length > 0 && (
        <ul className={classes.places}>
          {installed.map(({ id, site, domain, status, statusSince, detail }) => (
            <li key={id}>
              <span className={classes.placeName}>
                {site && domain ? (
                  <Link
                    to="/$site/{-$domain}/multi-cdn/cdn-management"
                    params={{ site: site.name, domain: domain.name }}
                    className="link"
                  >
                    {domain.name}
                  </Link>
                ) : (
                  t('wholeAccount')
                )}
                {detail !== null && <span className={classes.placeDetail}>{detail}</span>}
              </span>
              <span className={classes.placeSince}>{format.date(Date.parse(statusSince))}</span>
              <StatusPill state={status} since={Date.parse(statusSince)} />
            </li>
          ))}
        </ul>
      )}
      {kind === 'cdn' && canInstall && needs === null && <InstallOnDomain powerUp={powerUp} />}
    </div>
  )
}
