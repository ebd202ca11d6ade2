import path from 'node:path'
import { startApi } from '@fairway/server'
import type { RoleContext } from './role.ts'

const CONSOLE = path.join(import.meta.dirname, '../../../console/dist')

export function startApiRole({ config, log, sockets }: RoleContext): Promise<AsyncDisposable> {
  return startApi({ config, log, sockets, consoleFolder: CONSOLE })
}
