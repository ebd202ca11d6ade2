import { auth } from '@fairway/contract'
import { useMutation } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'
import { currentLocale } from '../../i18n/i18n.ts'
import { failureText } from '../../ui/layers/snackbar.tsx'
import { AuthPage } from './auth-page.tsx'
import { ConnectGoogle } from './connect-google.tsx'
import { takeJourney } from './journey-store.ts'
import { OldPassword } from './old-password.tsx'
import { useSignIn } from './use-sign-in.ts'

/** Where Google sends people back to. */
export function GoogleCallbackScreen() {
  const { t } = useTranslation(['auth', 'errors', 'shell'])
  const navigate = useNavigate()
  const [connecting, setConnecting] = useState<{ state: string; query: string } | null>(null)
  const { goOn, oldPassword } = useSignIn()
  const come = useMutation({
    mutationFn: async () => {
      const { intent, next } = takeJourney()
      const query = window.location.search
      const params = new URLSearchParams(query)
      // The person pressed Cancel there.
      if (params.get('error') === 'access_denied')
        return navigate({ to: intent === 'connect' ? '/account/user-profile' : '/login', replace: true })
      const state = params.get('state') ?? ''
      // Opened by hand, or from a bookmark: there is nothing to prove.
      if (state === '') throw new ApiError(1575, 400, null, [])
      if (intent !== 'connect')
        return goOn(await api(auth.routes.googleCallback, { state, query, locale: currentLocale() }), { next })
      return setConnecting({ state, query })
    },
  })
  const asked = useRef(false)
  useEffect(() => {
    if (asked.current) return
    asked.current = true
    come.mutate()
  }, [come])
  if (connecting) return <ConnectGoogle {...connecting} />
  if (oldPassword) return <OldPassword {...oldPassword} />
  if (come.isError)
    return (
      <AuthPage
        title={t('google.failed')}
        text={failureText(t, come.error)}
        below={<Link to="/login">{t('backToSignIn')}</Link>}
      />
    )
  return <AuthPage title={t('google.validating')} text={t('google.validatingText')} />
}
