import { IconChevronRight, IconLock } from '@tabler/icons-react'
import { Link, useParams, useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import classes from './left-nav.module.css'
import { AreaSwitch } from './area-switch.tsx'
import { type NavEntry, type NavItem, hrefOf, isAt, isWelcome } from './navigation.ts'
import { useAccount } from '../access/session.ts'
import { useNavigation } from './use-navigation.ts'

const OPERATOR_PATH = '/operator'

/**
 * The groups of the area that is open: the customer's, or the operator's behind its switch. Both places may be in the
 * document at once, so the ids of their headings differ.
 */
export function NavList({ place }: { place: 'side' | 'sheet' }) {
  const { t } = useTranslation('shell')
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const sections = useNavigation()
  const isOperatorPage = isAt(OPERATOR_PATH, pathname)
  const [chosen, setChosen] = useState<'own' | 'operator' | null>(null)
  useEffect(() => setChosen(null), [isOperatorPage])
  const hasAreas = sections.some(({ key }) => key === 'operator')
  const area = hasAreas ? (chosen ?? (isOperatorPage ? 'operator' : 'own')) : 'own'
  const shown = sections.filter(({ key }) => (key === 'operator') === (area === 'operator'))
  const groups = useOpenGroups(shown.flatMap(({ items }) => items))
  return (
    <div>
      {hasAreas && <AreaSwitch area={area} onChoose={setChosen} />}
      {shown.map(({ key, items }) => (
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
                  <NavGroup
                    item={item}
                    entries={item.children}
                    id={`nav-${place}-${item.key}`}
                    isOpen={groups.isOpen(item.key)}
                    onToggle={() => groups.toggle(item.key)}
                  />
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </div>
  )
}

/** The group of the page is open, and one more at most: the one that was opened last. */
function useOpenGroups(items: readonly NavItem[]) {
  const { site, domain } = useParams({ strict: false })
  const user = useAccount()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const present = items.find(({ children }) =>
    children?.some((entry) => isAt(hrefOf(entry, user, { site, domain }), pathname, entry.exact)),
  )?.key
  const [opened, setOpened] = useState<string | null>(null)
  const [isPresentClosed, setPresentClosed] = useState(false)
  useEffect(() => {
    setOpened(null)
    setPresentClosed(false)
  }, [present])
  return {
    isOpen: (key: string) => (key === present ? !isPresentClosed : key === opened),
    toggle: (key: string) => {
      if (key === present) setPresentClosed(!isPresentClosed)
      else setOpened(key === opened ? null : key)
    },
  }
}

type NavGroupProps = {
  item: NavItem
  entries: readonly NavEntry[]
  id: string
  isOpen: boolean
  onToggle: () => void
}

function NavGroup({ item, entries, id, isOpen, onToggle }: NavGroupProps) {
  const { t } = useTranslation('shell')
  const Icon = item.icon
  return (
    <>
      <button
        type="button"
        className={classes.heading}
        id={id}
        aria-expanded={isOpen}
        aria-controls={`${id}-entries`}
        onClick={onToggle}
      >
        <Icon className={classes.icon} size={17} stroke={1.65} aria-hidden />
        <span className={classes.words}>{t(`nav.${item.key}`)}</span>
        <IconChevronRight className={classes.chevron} size={14} stroke={1.8} aria-hidden />
      </button>
      <ul className={classes.children} id={`${id}-entries`} aria-labelledby={id} hidden={!isOpen}>
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
