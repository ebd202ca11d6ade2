import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useSearch } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followEvents } from '../../api/events.ts'
import { AccountMenu } from '../bar/account-menu.tsx'
import { Banners } from './banners.tsx'
import { BarLayout } from './bar-layout.tsx'
import { canGoHome } from '../guards/guards.ts'
import { LanguageMenu } from '../bar/language-menu.tsx'
import { SchemeMenu } from '../bar/scheme-menu.tsx'
import { setUpSitesRead } from '../scope/scope.ts'
import { useAccount } from '../access/session.ts'
import { ShortcutsHelp } from '../palette/shortcuts-help.tsx'

/**
 * The layout of everything that adds, and of what has to be done first: its own header, and no navigation to get lost
 * in.
 */
export function AddAssetsLayout({ children }: { children: ReactNode }) {
  const { t } = useTranslation('add-site')
  const [helpOpen, setHelpOpen] = useState(false)
  const queryClient = useQueryClient()
  useEffect(() => followEvents(queryClient), [queryClient])
  const { soc } = useSearch({ strict: false })
  const hasHome = canGoHome(useAccount(), soc === 1, useSuspenseQuery(setUpSitesRead).data.data)
  return (
    <BarLayout
      look="work"
      way={hasHome ? { to: '/home', words: t('backHome') } : null}
      tools={
        <>
          <LanguageMenu />
          <SchemeMenu />
          <AccountMenu onOpenHelp={() => setHelpOpen(true)} />
        </>
      }
      below={<Banners />}
    >
      {children}
      <ShortcutsHelp opened={helpOpen} onClose={() => setHelpOpen(false)} />
    </BarLayout>
  )
}
