import { useNavigate, useSearch } from '@tanstack/react-router'

type Search = {
  open?:
    | 'password'
    | 'email'
    | 'mfa'
    | 'mfa-off'
    | 'recovery'
    | 'passkey'
    | 'api-key'
    | 'leave'
    | 'close-organization'
    | undefined
}
export type ProfileDialog = NonNullable<Search['open']>

/** Which dialog of the profile is open; it is part of the address. */
export function useOpenDialog() {
  const { open } = useSearch({ from: '/shell/account/user-profile' })
  const navigate = useNavigate({ from: '/account/user-profile' })
  return {
    opened: open ?? null,
    open: (dialog: ProfileDialog) =>
      void navigate({ search: (before) => ({ ...before, open: dialog }), replace: true }),
    close: () => void navigate({ search: (before) => ({ ...before, open: undefined }), replace: true }),
  }
}
