import type { RoleName } from '../roles/role.ts'

export type RoleStatus = {
  state: 'waiting' | 'starting' | 'running' | 'restarting' | 'stopped'
  pid: number | null
  /** When the process began, in the system's ticks. */
  birth: string | null
  /** It was there before the supervisor that watches it now. */
  adopted: boolean
  /** The settings that it runs with, as a hash. */
  settings: string
  restarts: number
  startedAt: string | null
  lastExit: { at: string; reason: string } | null
}

export type RoleStatuses = Partial<Record<RoleName, RoleStatus>>
