import { startEdge } from '@fairway/edge'
import type { RoleContext } from './roles.ts'

export function startEdgeRole({ config, log }: RoleContext): Promise<AsyncDisposable> {
  return startEdge({ config, log })
}
