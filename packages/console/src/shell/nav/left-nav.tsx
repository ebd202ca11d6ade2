import { useTranslation } from 'react-i18next'
import classes from './left-nav.module.css'
import { NavList } from './nav-list.tsx'
import { PlanUsage } from './plan-usage.tsx'
import { useMoreBelow } from './use-more-below.ts'

/** The navigation beside the page, from 1024 px on. */
export function LeftNav() {
  const { t } = useTranslation('shell')
  const { ref, hasMore } = useMoreBelow<HTMLDivElement>()
  return (
    <nav className={classes.nav} aria-label={t('nav.label')}>
      <div className={classes.entries} ref={ref} data-more={hasMore || undefined}>
        <NavList place="side" />
      </div>
      <PlanUsage />
    </nav>
  )
}
