import { makeLog, type Config, type Log, type LogFields } from '@fairway/platform/lean'
import type { Tell } from './messages.ts'

/**
 * The log of one server: what is wrong is told by the role's process, which may have somebody to report it to; the
 * rest, and all while that process is away, is written here.
 */
export function serverLog(config: Config, number: number, tell: Tell, isTold: () => boolean): Log {
  const written = makeLog('dns', config).child({ server: number })
  const log: Log = {
    debug: (fields) => written.debug(fields),
    info: (fields) => written.info(fields),
    warn: (fields) => written.warn(fields),
    error: (fields) =>
      isTold() ? tell({ kind: 'logged', ...apart({ ...fields, server: number }) }) : written.error(fields),
    child: () => log,
  }
  return log
}

/** An error does not travel as it is. */
function apart(fields: LogFields): {
  fields: LogFields
  error: { name: string; message: string; stack: string } | null
} {
  const { err, ...rest } = fields
  if (err === undefined) return { fields, error: null }
  const error = err instanceof Error ? err : new Error(String(err))
  return { fields: rest as LogFields, error: { name: error.name, message: error.message, stack: error.stack ?? '' } }
}
