import { ConfigError } from '@fairway/platform/config'
import { Problem } from '@fairway/platform/lean'

type Place = { home: string }

/** The sentence for a failure that a person can mend, or null when it is ours. */
export function explainFailure(error: unknown, config?: Place): string | null {
  if (error instanceof Problem || error instanceof ConfigError) return error.message
  const { code, path, address, port } = detailsOf(error) ?? (saysDiskFull(error) ? { code: 'ENOSPC' } : {})
  const where = path ?? config?.home ?? 'the home folder'
  switch (code) {
    case 'ENOSPC':
      return `The disk that holds ${where} is full. Free some space and start again.`
    case 'EROFS':
      return `${where} is on a read-only disk. Set FAIRWAY_HOME to a folder that can be written.`
    case 'EDQUOT':
      return `The disk quota for ${where} is used up. Free some space and start again.`
    case 'EADDRINUSE':
      return `${address ?? ''}:${port ?? ''} is already in use by another program.`
    case 'EADDRNOTAVAIL':
      return `${address ?? 'The address'} is not an address of this machine. Change the setting that names it.`
    case 'EACCES':
    case 'EPERM':
      return port === undefined
        ? `Permission denied: ${where}. The user who starts Fairway must own it; or set FAIRWAY_HOME to another folder.`
        : `Permission denied to listen on ${address ?? ''}:${port}. Ports below 1024 need root; choose a higher one.`
    default:
      return null
  }
}

type Details = { code?: unknown; path?: string; address?: string; port?: number }

/** Code and place of a system error, looked for along its causes. */
function detailsOf(error: unknown): Details | null {
  for (let at = error; at instanceof Error; at = at.cause) {
    if ('code' in at && typeof at.code === 'string' && at.code.startsWith('E')) return at as Details
  }
  return null
}

/** A tool or server that ran out of disk tells so in its own words only. */
function saysDiskFull(error: unknown): boolean {
  return error instanceof Error && /ENOSPC|No space left on device/i.test(error.message)
}
