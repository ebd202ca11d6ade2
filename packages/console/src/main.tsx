// First: the contract's schemas read this configuration when they are made.
import './i18n/configure-zod.ts'
import '@fontsource-variable/inter/wght.css'
import '@fontsource/geist-mono/400.css'
import '@fontsource/geist-mono/600.css'
import './ui/look/mantine.css'
import '@mantine/notifications/styles.layer.css'
import '@mantine/spotlight/styles.layer.css'
import './ui/look/tokens.css'
import './ui/look/base.css'
import { RouterProvider } from '@tanstack/react-router'
import { startTransition } from 'react'
import { createRoot } from 'react-dom/client'
import { makeQueryClient } from './api/query-client.ts'
import { startI18n } from './i18n/i18n.ts'
import { keepRouterFromReloading, reloadOnce } from './shell/errors/chunk-reload.ts'
import { noteSignedOut } from './shell/access/signed-in-sign.ts'
import { startPartner } from './shell/partner.ts'
import { Providers } from './shell/providers.tsx'
import { makeRouter } from './shell/router.tsx'

// The guards decide where somebody goes whose session has ended; on a page that is open to all they stay.
const queryClient = makeQueryClient(() => {
  noteSignedOut()
  void router.invalidate()
})
const router = makeRouter(queryClient)

async function start(): Promise<void> {
  // Both before the first paint: the right language and the right colour, or a flash of the wrong ones.
  await Promise.all([startI18n(), startPartner(queryClient)])
  const root = document.getElementById('root')
  if (root === null) throw new Error('index.html has no #root')
  const page = createRoot(root)
  // In pieces, like whatever is not an answer to the user.
  startTransition(() =>
    page.render(
      <Providers queryClient={queryClient}>
        <RouterProvider router={router} />
      </Providers>,
    ),
  )
}

// Not awaited here: the texts need modules of this file, which would wait for them.
void start()

// A chunk of the build before this one is gone after an upgrade: load the new build. The error page says so when that
// was tried just now.
window.addEventListener('vite:preloadError', (event) => {
  if (reloadOnce()) event.preventDefault()
  else keepRouterFromReloading(event.payload)
})
