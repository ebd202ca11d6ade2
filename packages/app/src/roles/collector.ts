import { startCollector } from '@fairway/analytics'
import type { RoleContext } from './role.ts'

export function startCollectorRole({ config, log, sockets }: RoleContext): Promise<AsyncDisposable> {
  return startCollector({ config, log, sockets })
}
