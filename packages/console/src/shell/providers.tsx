import { MantineProvider, localStorageColorSchemeManager } from '@mantine/core'
import { type QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { type ReactNode, Suspense, lazy, useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { LogoContext } from '../ui/look/logo.tsx'
import { LAYERS_ID, cssVariablesResolver, theme } from '../ui/look/theme.ts'
import { usePartner } from './partner.ts'

// After the first paint: nothing is said before it, and what is said meanwhile waits in their store.
const Snackbars = lazy(async () => ({ default: (await import('@mantine/notifications')).Notifications }))

// The same key is read by boot.js before the first paint.
const schemes = localStorageColorSchemeManager({ key: 'fairway.scheme' })

export function Providers({ queryClient, children }: { queryClient: QueryClient; children: ReactNode }) {
  const { t } = useTranslation('shell')
  return (
    <QueryClientProvider client={queryClient}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={cssVariablesResolver}
        colorSchemeManager={schemes}
        defaultColorScheme="auto"
      >
        <Brand>{children}</Brand>
        {/* Menus, drawers and snackbars open here: everything on a page belongs to a landmark. */}
        <section id={LAYERS_ID} aria-label={t('layers')} />
        <Suspense fallback={null}>
          <Snackbars position="bottom-center" limit={3} zIndex={450} />
        </Suspense>
      </MantineProvider>
    </QueryClientProvider>
  )
}

/** A partner's pictures for every logo below; a partner without any still does not show the installation's mark. */
function Brand({ children }: { children: ReactNode }) {
  const partner = usePartner()
  const { logoWord = null, logoWordWhite = null, hostName = null } = partner ?? {}
  const pictures = useMemo(
    () => ({ logo: logoWord, white: logoWordWhite, ownMark: hostName !== null }),
    [logoWord, logoWordWhite, hostName],
  )
  return <LogoContext value={pictures}>{children}</LogoContext>
}
