import type { Config, HeldSockets, Log } from '@fairway/platform'

export const ROLE_NAMES = [
  'database',
  'store',
  'api',
  'worker',
  'collector',
  'dns',
  'edge',
  'media',
  'origin',
  'visitors',
] as const

export type RoleName = (typeof ROLE_NAMES)[number]

export type RoleContext = {
  config: Config
  log: Log
  /** Handed down by the supervisor. */
  sockets: HeldSockets
  /** Ends this process because it cannot do its job any more; the supervisor starts it again. */
  die(reason: string): void
}

/** Starts a role; disposing stops it cleanly. */
export type StartRole = (context: RoleContext) => Promise<AsyncDisposable>

export function isRoleName(name: string): name is RoleName {
  return ROLE_NAMES.some((role) => role === name)
}
