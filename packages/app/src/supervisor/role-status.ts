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

/** How one ended that gave its place to the next. */
export const EXCHANGED = 'exchanged'

/** Who runs the code that is there now, who that of before, and who does not run. */
export function saidOfExchange(roles: RoleStatuses): string[] {
  const all = Object.entries(roles)
  const names = (some: typeof all) => some.map(([name]) => name).join(', ')
  const running = all.filter(([, { state }]) => state === 'running')
  const [fresh, before] = [running.filter(([, { adopted }]) => !adopted), running.filter(([, { adopted }]) => adopted)]
  return [
    fresh.length > 0 ? `exchanged ${names(fresh)}` : '',
    before.length > 0 ? `as before, not exchanged: ${names(before)}` : '',
    ...all
      .filter(([, { state }]) => state !== 'running')
      .map(([name, status]) => `does not run: ${name} (${whyOf(status)})`),
  ].filter((line) => line !== '')
}

/** One that was ended to be exchanged had no fault. */
const whyOf = ({ state, lastExit }: RoleStatus): string =>
  lastExit === null || lastExit.reason === EXCHANGED ? state : (lastExit.reason.split('\n')[0] ?? state)
