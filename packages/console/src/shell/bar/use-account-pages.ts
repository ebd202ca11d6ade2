import { useMemo } from 'react'
import { type AccountPage, accountPagesFor } from './account-pages.ts'
import { useAccount } from '../access/session.ts'
import { useIsBuilt } from '../nav/use-navigation.ts'

export function useAccountPages(): AccountPage[] {
  const user = useAccount()
  const isBuilt = useIsBuilt()
  return useMemo(() => accountPagesFor({ user, isBuilt }), [user, isBuilt])
}
