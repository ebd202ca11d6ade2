import { useQueryClient } from '@tanstack/react-query'
import { Link, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { useAccount } from '../access/session.ts'
import { useAccountPages } from '../bar/use-account-pages.ts'
import { hrefOf, navEntries } from '../nav/navigation.ts'
import { useNavigation } from '../nav/use-navigation.ts'
import { findNamed, knownSites } from '../scope/scope.ts'
import classes from './error-page.module.css'
import { nearestPages } from './nearest-pages.ts'

/** What the address may have meant. Signed in only. */
export function Nearest() {
  const { t } = useTranslation(['errors', 'shell'])
  const address = useRouterState({ select: ({ location }) => location.pathname })
  const user = useAccount()
  const sections = useNavigation()
  const accountPages = useAccountPages()
  const known = knownSites(useQueryClient()).map(({ site }) => site)
  const [, first] = address.split('/')
  const site = findNamed(known, first, ({ domainName }) => domainName)?.domainName ?? known[0]?.domainName
  const near = nearestPages(address, [
    ...navEntries(sections).map(({ entry }) => ({
      href: hrefOf(entry, user, { site }),
      name: t(`shell:nav.${entry.key}`),
    })),
    ...accountPages.map(({ key, to }) => ({ href: to, name: t(`shell:account.${key}`) })),
  ])
  if (near.length === 0) return null
  return (
    <nav className={classes.near} aria-label={t('errors:page.near')}>
      <span>{t('errors:page.near')}</span>
      <ul>
        {near.map(({ href, name }) => (
          <li key={href}>
            <Link className="link" to={href}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}
