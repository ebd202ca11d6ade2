import type { ErrorComponentProps, NotFoundRouteProps } from '@tanstack/react-router'
import { Component, type ReactNode, Suspense, lazy } from 'react'
import { i18n } from '../../i18n/i18n.ts'
import { useKnownAccount } from '../access/session.ts'

// Loaded when something goes wrong: what they need is not everyone's to carry. When even that fails, the last resort
// stands.
const Explained = lazy(async () => ({ default: (await import('./error-message.tsx')).Explained }))
const NotFoundMessage = lazy(async () => ({ default: (await import('./error-message.tsx')).NotFoundMessage }))
const ForbiddenMessage = lazy(async () => ({ default: (await import('./error-message.tsx')).ForbiddenMessage }))
const Shell = lazy(async () => ({ default: (await import('../layouts/shell.tsx')).Shell }))

/** Anything that a screen could not handle: status and code, plain words, what to try, the id to quote. */
export function ErrorPage(props: ErrorComponentProps): ReactNode {
  return (
    <Guarded>
      <Explained {...props} />
    </Guarded>
  )
}

/** The same where no shell is around it: the page's only landmark. */
export function RootErrorPage(props: ErrorComponentProps): ReactNode {
  return (
    <main>
      <ErrorPage {...props} />
    </main>
  )
}

/** An address that leads nowhere. */
export function NotFoundPage(): ReactNode {
  return (
    <Guarded>
      <NotFoundMessage />
    </Guarded>
  )
}

/** What the guards refuse. Who is signed in keeps the navigation: a closed page is not the end of the way. */
export function RootNotFoundPage({ data }: NotFoundRouteProps): ReactNode {
  const page = isForbidden(data) ? (
    <Guarded>
      <ForbiddenMessage />
    </Guarded>
  ) : (
    <NotFoundPage />
  )
  return useKnownAccount() === null ? (
    <main>{page}</main>
  ) : (
    <Guarded>
      <Shell>{page}</Shell>
    </Guarded>
  )
}

const isForbidden = (data: unknown): boolean =>
  typeof data === 'object' && data !== null && 'status' in data && data.status === 403

const Guarded = ({ children }: { children: ReactNode }) => (
  <LastResort>
    <Suspense fallback={null}>{children}</Suspense>
  </LastResort>
)

/** When the error page itself fails: plain HTML, so that nothing of what failed is needed again. */
class LastResort extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false }

  static getDerivedStateFromError() {
    return { failed: true }
  }

  override render() {
    if (!this.state.failed) return this.props.children
    return (
      <main>
        <p role="alert">
          {i18n.t('errors:page.failed')} <a href="/home">{i18n.t('errors:page.home')}</a>
        </p>
      </main>
    )
  }
}
