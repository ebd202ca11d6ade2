import { type Profile, account } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { useRead } from '../../api/queries.ts'
import { ConfirmIdentity, type Proof } from '../account/confirm-identity.tsx'
import { AuthPage } from './auth-page.tsx'
import classes from './auth-page.module.css'

type Answer = { state: string; query: string }

/** Google has said who it is; whether it is still the owner of the account here is asked before it may sign in. */
export function ConnectGoogle({ state, query }: Answer) {
  const { t } = useTranslation('auth')
  const { data } = useRead(account.routes.profile, {})
  if (!data) return <AuthPage title={t('google.validating')} />
  return <Confirm profile={data} answer={{ state, query }} />
}

function Confirm({ profile, answer }: { profile: Profile; answer: Answer }) {
  const { t } = useTranslation('auth')
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const [proof, setProof] = useState<Proof>({})
  const connect = useMutation({
    mutationFn: async () => {
      await api(account.routes.connectGoogle, { ...answer, ...proof })
      await queryClient.invalidateQueries({ queryKey: [account.routes.profile.path] })
      return navigate({ to: '/account/user-profile', replace: true })
    },
  })
  const asks = profile.hasPassword || profile.hasMfaEnabled
  const asked = useRef(false)
  useEffect(() => {
    if (asks || asked.current) return
    asked.current = true
    connect.mutate()
  }, [asks, connect])
  return (
    <AuthPage title={t('google.connect')} {...(asks ? { text: t('google.confirm') } : {})}>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          connect.mutate()
        }}
      >
        <ConfirmIdentity profile={profile} value={proof} onChange={setProof} error={connect.error} />
        {asks && (
          <Button type="submit" fullWidth size="md" loading={connect.isPending}>
            {t('google.connect')}
          </Button>
        )}
        <Button
          fullWidth
          size="md"
          variant="default"
          onClick={() => void navigate({ to: '/account/user-profile', replace: true })}
        >
          {t('google.notNow')}
        </Button>
      </form>
    </AuthPage>
  )
}
