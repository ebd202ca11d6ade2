import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Logo } from '../../ui/look/logo.tsx'
import classes from './bar-layout.module.css'
import { LoadingBar } from './loading-bar.tsx'
import { usePartner } from '../partner.ts'
import { SkipLink } from './skip-link.tsx'

type BarLayoutProps = {
  /** Work to be done, one message in the middle, or a page to read from the top. */
  look: 'work' | 'message' | 'page'
  /** Where the name above leads, and the words of the same way in the bar; null where nobody may go there now. */
  way: { to: '/' | '/home'; words: string } | null
  tools: ReactNode
  /** Between the bar and the page. */
  below?: ReactNode
  children: ReactNode
}

/** A page under a bar of its own, without the navigation. */
export function BarLayout({ look, way, tools, below, children }: BarLayoutProps) {
  const { t } = useTranslation('shell')
  const name = usePartner()?.companyName ?? ''
  return (
    <div className={classes.layout} data-look={look}>
      <SkipLink />
      <LoadingBar />
      <header className={classes.bar}>
        {way ? (
          <Link to={way.to} className={classes.logo} aria-label={t('goHome', { name })}>
            <Logo name={name} />
          </Link>
        ) : (
          <span className={classes.logo}>
            <Logo name={name} />
          </span>
        )}
        <div className={classes.tools}>
          {way && (
            <Link to={way.to} className={classes.way}>
              {way.words}
            </Link>
          )}
          {tools}
        </div>
      </header>
      {below}
      <main id="main" className={classes.main} tabIndex={-1}>
        {children}
      </main>
    </div>
  )
}
