import { auth } from '@fairway/contract'
import type { SignedIn } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconFingerprint } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { askForPasskey, isDeclined, passkeysWorkHere } from './webauthn.ts'

type PasskeyButtonProps = {
  /** The ticket of the second step; without one a passkey signs in alone. */
  stepTicket?: string
  remember: boolean
  onDone: (answer: SignedIn) => void
  /** Null when the person only changed their mind. */
  onFailure: (error: unknown) => void
}

/** Signs in with a passkey, where the browser and the address can. */
export function PasskeyButton({ stepTicket, remember, onDone, onFailure }: PasskeyButtonProps) {
  const { t } = useTranslation('auth')
  const signIn = useMutation({
    mutationFn: async () => {
      const { ceremony, options } = await api(
        auth.routes.passkeyOptions,
        stepTicket === undefined ? {} : { stepTicket },
      )
      return api(auth.routes.passkey, { ceremony, response: await askForPasskey(options), remember })
    },
    onSuccess: onDone,
    onError: (error) => onFailure(isDeclined(error) ? null : error),
  })
  if (!passkeysWorkHere()) return null
  return (
    <Button
      variant="default"
      fullWidth
      size="md"
      leftSection={<IconFingerprint size={17} stroke={1.65} />}
      loading={signIn.isPending}
      onClick={() => signIn.mutate()}
    >
      {t('passkey')}
    </Button>
  )
}
