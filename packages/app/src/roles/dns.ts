import { startDns } from '@fairway/dns'
import type { RoleContext } from './role.ts'

export function startDnsRole({ config, log, sockets }: RoleContext): Promise<AsyncDisposable> {
  return startDns({ config, log, sockets })
}
