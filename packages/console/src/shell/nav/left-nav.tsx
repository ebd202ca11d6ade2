import { IconLock } from '@tabler/icons-react'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import classes from './left-nav.module.css'
import { type NavEntry, type NavItem, hrefOf, isWelcome } from './navigation.ts'
import { PlanUsage } from './plan-usage.tsx'
import { useAccount } from '../access/session.ts'
import { useNavigation } from './use-navigation.ts'

/** The navigation beside the page, from 1024 px on. */
export function LeftNav() {
  const { t } = useTranslation('shell')
  return (
    <nav className={classes.nav} aria-label={t('nav.label')}>
      <div className={classes.entries}>
        <NavList place="side" />
      </div>
      <PlanUsage />
    </nav>
  )
}

/** Both may be in the document at once, so the ids of their headings differ. */
export function NavList({ place }: { place: 'side' | 'sheet' }) {
  const { t } = useTranslation('shell')
  return useNavigation().map(({ key, items }) => (
    <div className={classes.section} key={key}>
      <p className={classes.sectionTitle} id={`nav-${place}-${key}`}>
        {t(`nav.section.${key}`)}
      </p>
      <ul className={classes.list} aria-labelledby={`nav-${place}-${key}`}>
        {items.map((item) => (
          <li key={item.key}>
            {item.entry ? (
              <NavLink entry={item.entry} item={item} />
            ) : (
              <NavGroup item={item} entries={item.children} place={place} />
            )}
          </li>
        ))}
      </ul>
    </div>
  ))
}

function NavGroup({ item, entries, place }: { item: NavItem; entries: readonly NavEntry[]; place: string }) {
  const { t } = useTranslation('shell')
  const Icon = item.icon
  return (
    <>
      <span className={classes.heading} id={`nav-${place}-${item.key}`}>
        <Icon className={classes.icon} size={17} stroke={1.65} aria-hidden />
        {t(`nav.${item.key}`)}
      </span>
      <ul className={classes.children} aria-labelledby={`nav-${place}-${item.key}`}>
        {entries.map((entry) => (
          <li key={entry.key}>
            <NavLink entry={entry} />
          </li>
        ))}
      </ul>
    </>
  )
}

function NavLink({ entry, item }: { entry: NavEntry; item?: NavItem }) {
  const { t } = useTranslation('shell')
  const { site, domain } = useParams({ strict: false })
  const user = useAccount()
  const Icon = item?.icon
  return (
    <Link
      to={hrefOf(entry, user, { site, domain })}
      className={classes.item}
      activeProps={{ className: classes.current }}
      activeOptions={{ exact: entry.exact === true }}
    >
      {Icon && <Icon className={classes.icon} size={17} stroke={1.65} aria-hidden />}
      <span className={classes.words}>{t(`nav.${entry.key}`)}</span>
      {isWelcome(entry, user) && (
        <IconLock className={classes.lock} size={13} stroke={1.8} role="img" aria-label={t('nav.locked')} />
      )}
    </Link>
  )
}
