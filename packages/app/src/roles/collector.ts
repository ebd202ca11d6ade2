import { startCollector } from '@fairway/analytics'
import type { RoleContext } from './roles.ts'

export function startCollectorRole({ config, log, sockets }: RoleContext): Promise<AsyncDisposable> {
  return startCollector({ config, log, sockets })
}
