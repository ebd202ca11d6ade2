import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Link, useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followEvents } from '../api/events.ts'
import { Logo } from '../ui/logo.tsx'
import { AccountMenu } from './account-menu.tsx'
import classes from './add-assets-layout.module.css'
import { Banners } from './banners.tsx'
import { canGoHome } from './guards/guards.ts'
import { LanguageMenu } from './language-menu.tsx'
import { LoadingBar } from './loading-bar.tsx'
import { usePartner } from './partner.ts'
import { SchemeMenu } from './scheme-menu.tsx'
import { sitesRead } from './scope.ts'
import { useAccount } from './session.ts'
import { ShortcutsHelp } from './shortcuts-help.tsx'
import { SkipLink } from './skip-link.tsx'

/** The layout of everything that adds, and of what has to be done first: its own header, and no navigation to get lost in. */
export function AddAssetsLayout({ children }: { children: ReactNode }) {
  const { t } = useTranslation('add-site')
  const [helpOpen, setHelpOpen] = useState(false)
  const queryClient = useQueryClient()
  useEffect(() => followEvents(queryClient), [queryClient])
  const name = usePartner()?.companyName ?? ''
  const { soc } = useSearch({ strict: false })
  const hasHome = canGoHome(useAccount(), soc === 1, useSuspenseQuery(sitesRead).data.data)
  return (
    <div className={classes.layout}>
      <SkipLink />
      <LoadingBar />
      <header className={classes.bar}>
        {hasHome ? <Link to="/home" className={classes.logo} aria-label={t('shell:goHome', { name })}><Logo name={name} /></Link> : <span className={classes.logo}><Logo name={name} /></span>}
        <div className={classes.tools}>
          {hasHome && <Link to="/home" className={classes.leave}>{t('backHome')}</Link>}
          <LanguageMenu />
          <SchemeMenu />
          <AccountMenu onOpenHelp={() => setHelpOpen(true)} />
        </div>
      </header>
      <Banners />
      <main id="main" className={classes.main} tabIndex={-1}>{children}</main>
      <ShortcutsHelp opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </div>
  )
}
