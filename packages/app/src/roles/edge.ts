import { startEdge } from '@fairway/edge'
import type { RoleContext } from './role.ts'

export function startEdgeRole({ config, log, sockets }: RoleContext): Promise<AsyncDisposable> {
  return startEdge({ config, log, sockets })
}
