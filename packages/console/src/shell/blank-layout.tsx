import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Logo } from '../ui/logo.tsx'
import classes from './blank-layout.module.css'
import { LanguageMenu } from './language-menu.tsx'
import { LoadingBar } from './loading-bar.tsx'
import { usePartner } from './partner.ts'
import { SchemeMenu } from './scheme-menu.tsx'
import { useKnownAccount } from './session.ts'
import { SkipLink } from './skip-link.tsx'

type BlankLayoutProps = {
  /** One message in the middle, or a page to read from the top. */
  look?: 'message' | 'page'
  /** Into the console; left out where nobody may go there now. */
  wayIn?: boolean
  children: ReactNode
}

/** Pages that stand alone, with or without a session: a name above, language and appearance, nothing else. */
export function BlankLayout({ look = 'message', wayIn = true, children }: BlankLayoutProps) {
  const { t } = useTranslation('shell')
  const name = usePartner()?.companyName ?? ''
  const isSignedIn = useKnownAccount() !== null
  return (
    <div className={classes.layout}>
      <SkipLink />
      <LoadingBar />
      <header className={classes.bar}>
        {wayIn ? <Link to="/" className={classes.logo} aria-label={t('goHome', { name })}><Logo name={name} /></Link> : <span className={classes.logo}><Logo name={name} /></span>}
        <div className={classes.tools}>
          {wayIn && <Link to="/" className={classes.enter}>{isSignedIn ? t('nav.home') : t('signIn')}</Link>}
          <LanguageMenu signedIn={isSignedIn} />
          <SchemeMenu />
        </div>
      </header>
      <main id="main" className={classes.main} data-look={look} tabIndex={-1}>{children}</main>
    </div>
  )
}
