import { startMedia } from '@fairway/media'
import type { RoleContext } from './role.ts'

export function startMediaRole({ config, log, sockets }: RoleContext): Promise<AsyncDisposable> {
  return startMedia({ config, log, sockets })
}
