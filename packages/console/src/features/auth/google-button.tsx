import { auth } from '@fairway/contract'
import type { RouteInput } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { api } from '../../api/client.ts'
import { GoogleMark } from './google-mark.tsx'
import { keepJourney } from './journey-store.ts'

type GoogleButtonProps = {
  input: RouteInput<typeof auth.routes.googleStart>
  next?: string | undefined
  onFailure: (error: unknown) => void
}

/** Leaves for Google, and comes back to `/oauth/google-callback`. */
export function GoogleButton({ input, next, onFailure }: GoogleButtonProps) {
  const { t } = useTranslation('auth')
  const start = useMutation({
    mutationFn: () => api(auth.routes.googleStart, input),
    onSuccess: ({ url }) => {
      keepJourney({ intent: input.intent, next })
      window.location.assign(url)
    },
    onError: onFailure,
  })
  return (
    <Button
      variant="default"
      fullWidth
      size="md"
      leftSection={<GoogleMark />}
      loading={start.isPending || start.isSuccess}
      onClick={() => start.mutate()}
    >
      {t(`google.${input.intent}`)}
    </Button>
  )
}
