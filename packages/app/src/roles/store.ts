import { startStore } from '@fairway/analytics'
import type { RoleContext } from './role.ts'

export function startStoreRole({ config, log }: RoleContext): Promise<AsyncDisposable> {
  return startStore({ config, log })
}
