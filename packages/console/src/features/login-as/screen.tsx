import { auth } from '@fairway/contract'
import { Loader } from '@mantine/core'
import { IconEyeOff } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useParams, useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { isSignedOut } from '../../api/query-client.ts'
import { BlankLayout } from '../../shell/layouts/blank-layout.tsx'
import { forgetUser } from '../../shell/bar/end-session.ts'
import { MessagePage } from '../../shell/errors/message-page.tsx'
import { accountRead } from '../../shell/access/session.ts'
import { LinkButton } from '../../ui/marks/links.tsx'
import { failureText } from '../../ui/layers/snackbar.tsx'

/**
 * Uses up the link of somebody of support, and goes on as the user, in support mode. The address with the token leaves
 * the history.
 */
export function LoginAsScreen() {
  const { t } = useTranslation(['login-as', 'errors', 'shell'])
  const { jwtToken } = useParams({ from: '/loginas/{-$customerId}/{-$organizationId}/{-$jwtToken}' })
  const router = useRouter()
  const queryClient = useQueryClient()
  const { mutate, error, isIdle } = useMutation({
    mutationFn: (token: string) => api(auth.routes.loginAs, { token }),
    onSuccess: async () => {
      await queryClient.resetQueries({ queryKey: accountRead.queryKey })
      forgetUser(queryClient)
      await router.navigate({ to: '/home', search: { soc: 1 }, replace: true })
    },
  })
  useEffect(() => {
    // The link is good for one call: the development mode's second run of effects must not be it.
    if (jwtToken !== undefined && isIdle) mutate(jwtToken)
  }, [jwtToken, isIdle, mutate])
  const problem =
    jwtToken === undefined
      ? t('incomplete')
      : error === null
        ? null
        : isSignedOut(error)
          ? t('used')
          : failureText(t, error)
  return (
    <BlankLayout wayIn={false}>
      {problem === null ? (
        <MessagePage title={t('opening')} icon={<Loader size={24} aria-hidden />} />
      ) : (
        <MessagePage
          title={t('failed')}
          icon={<IconEyeOff size={32} stroke={1.4} aria-hidden />}
          text={problem}
          actions={<LinkButton to="/login">{t('shell:signIn')}</LinkButton>}
        />
      )}
    </BlankLayout>
  )
}
