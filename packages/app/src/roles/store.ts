import { startStore } from '@fairway/analytics'
import type { RoleContext } from './roles.ts'

export function startStoreRole({ config, log }: RoleContext): Promise<AsyncDisposable> {
  return startStore({ config, log })
}
