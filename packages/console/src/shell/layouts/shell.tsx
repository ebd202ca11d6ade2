import { useHotkeys } from '@mantine/hooks'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate, useParams, useRouterState } from '@tanstack/react-router'
import { type ReactNode, Suspense, lazy, useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { followEvents } from '../../api/events.ts'
import { RouteMenu } from '../../features/teammates/who-can/route-menu.tsx'
import { PageMenuSlot } from '../../ui/page/page-header.tsx'
import { Banners } from './banners.tsx'
import { LeftNav } from '../nav/left-nav.tsx'
import { LoadingBar } from './loading-bar.tsx'
import { NavSheet } from '../nav/nav-sheet.tsx'
import { onOpenPalette, openPalette } from '../palette/palette-store.ts'
import { usePartner } from '../partner.ts'
import { useSiteOfAddress } from '../scope/scope.ts'
import { useAccount } from '../access/session.ts'
import { AccountStrip, ScopeStrip } from '../scope/scope-strip.tsx'
import classes from './shell.module.css'
import { ShortcutsHelp } from '../palette/shortcuts-help.tsx'
import { SkipLink } from './skip-link.tsx'
import { TopBar } from '../bar/top-bar.tsx'
import { useShellShortcuts } from '../palette/use-shell-shortcuts.ts'
import { useRememberPlace } from '../scope/use-remember-place.ts'

// Seen on few visits: none is waited for.
const Palette = lazy(async () => ({ default: (await import('../palette/palette.tsx')).Palette }))
const InspectionBanner = lazy(async () => ({ default: (await import('./inspection-banner.tsx')).InspectionBanner }))
const SandboxDialog = lazy(async () => ({ default: (await import('./sandbox-dialog.tsx')).SandboxDialog }))

/** Everything around a screen: top bar, navigation, site strip, banners, palette, keyboard. */
export function Shell({ children }: { children: ReactNode }) {
  const { t } = useTranslation('shell')
  const [navOpen, setNavOpen] = useState(false)
  const [helpOpen, setHelpOpen] = useState(false)
  const [paletteAsked, setPaletteAsked] = useState(0)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const { site } = useParams({ strict: false })
  const { sandboxMode } = useAccount()
  const hasScope = useSiteOfAddress() !== undefined

  // A site that was shown and is not there any more was deleted, here or by somebody else; one that never was is the
  // router's to refuse.
  const shown = useRef<string | undefined>(undefined)
  const isGone = !hasScope && site !== undefined && shown.current === site
  useEffect(() => {
    if (hasScope) shown.current = site
  }, [hasScope, site])
  // Once: as an element it would begin anew with each change that is shown while the way is looked for.
  useEffect(() => {
    if (isGone) void navigate({ to: '/home', replace: true })
  }, [isGone, navigate])
  useEffect(() => followEvents(queryClient), [queryClient])
  useEffect(() => setNavOpen(false), [pathname])
  useEffect(() => onOpenPalette(() => setPaletteAsked((times) => times + 1)), [])
  useHotkeys([['mod+K', openPalette]], [])
  useShellShortcuts(() => setHelpOpen(true))
  useRememberPlace()

  return (
    <div className={classes.shell}>
      <SkipLink />
      <LoadingBar />
      <TopBar onOpenNav={() => setNavOpen(true)} onOpenHelp={() => setHelpOpen(true)} />
      <Banners />
      {hasScope && (
        <Suspense fallback={null}>
          <InspectionBanner />
        </Suspense>
      )}
      <div className={classes.body}>
        <LeftNav />
        <div className={classes.page}>
          {hasScope ? <ScopeStrip /> : <AccountStrip />}
          <main id="main" className={classes.main} tabIndex={-1}>
            {!isGone && <PageMenuSlot value={<RouteMenu />}>{children}</PageMenuSlot>}
          </main>
          <footer className={classes.foot}>
            {t('copyright', { year: new Date().getFullYear(), name: usePartner()?.companyName ?? '' })}
          </footer>
        </div>
      </div>
      <NavSheet opened={navOpen} onClose={() => setNavOpen(false)} />
      {paletteAsked > 0 && (
        <Suspense fallback={null}>
          <Palette asked={paletteAsked} onOpenHelp={() => setHelpOpen(true)} />
        </Suspense>
      )}
      <ShortcutsHelp opened={helpOpen} onClose={() => setHelpOpen(false)} />
      {sandboxMode && (
        <Suspense fallback={null}>
          <SandboxDialog />
        </Suspense>
      )}
    </div>
  )
}
