import { startWorker } from '@fairway/server'
import type { RoleContext } from './role.ts'

export function startWorkerRole({ config, log }: RoleContext): Promise<AsyncDisposable> {
  return startWorker({ config, log })
}
