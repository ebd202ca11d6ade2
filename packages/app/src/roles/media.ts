import path from 'node:path'
import { startMedia } from '@fairway/media'
import type { RoleContext } from './role.ts'

const PLAYER = path.join(import.meta.dirname, '../../../player/dist')

export function startMediaRole({ config, log, sockets }: RoleContext): Promise<AsyncDisposable> {
  return startMedia({ config, log, sockets, playerFolder: PLAYER })
}
