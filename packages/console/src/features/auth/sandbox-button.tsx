import { auth } from '@fairway/contract'
import type { SignedIn } from '@fairway/contract'
import { Button } from '@mantine/core'
import { IconEye } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'

type SandboxButtonProps = { onDone: (answer: SignedIn) => void; onFailure: (error: unknown) => void }

/** In without an account, to look around where nothing can be changed. */
export function SandboxButton({ onDone, onFailure }: SandboxButtonProps) {
  const { t } = useTranslation('auth')
  const enter = useMutation({
    mutationFn: () => api(auth.routes.enterSandbox, {}),
    onSuccess: onDone,
    onError: onFailure,
  })
  return (
    <Button
      variant="default"
      fullWidth
      size="md"
      leftSection={<IconEye size={18} stroke={1.6} aria-hidden />}
      loading={enter.isPending || enter.isSuccess}
      onClick={() => enter.mutate()}
    >
      {t('login.sandbox')}
    </Button>
  )
}
