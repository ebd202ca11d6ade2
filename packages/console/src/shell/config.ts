import { LIMITS, account } from '@fairway/contract'
import { read } from '../api/queries.ts'

/** The running version and whether everything is closed for maintenance. Who watches it asks again every 30 s. */
export const configRead = { ...read(account.routes.config, {}), staleTime: LIMITS.configPollMs }

let loaded: string | undefined

/**
 * True once the server runs another version than the one that this page was loaded from, which is the first one it
 * told.
 */
export function isNewVersion(version: string | undefined): boolean {
  if (version === undefined) return false
  loaded ??= version
  return version !== loaded
}
