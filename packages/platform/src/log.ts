import { pino } from 'pino'

export type LogFields = { event: string } & Record<string, unknown>
/** One per role, passed in. Every line is an object with a stable `event`. */
export interface Log {
  debug(fields: LogFields): void
  info(fields: LogFields): void
  warn(fields: LogFields): void
  error(fields: LogFields): void
  child(fields: Record<string, unknown>): Log
}

/** JSON lines to standard error. Errors under `err` carry their stack; secrets by their usual names are cut out. */
export function makeLog(role: string, config: { logLevel: string }): Log {
  return pino(
    { level: config.logLevel, base: { role, pid: process.pid }, timestamp: pino.stdTimeFunctions.isoTime, redact: { paths: ['*.password', '*.authorization', '*.cookie', '*.token', 'password', 'token'], censor: '[cut]' } },
    pino.destination({ fd: 2, sync: true }),
  ) as unknown as Log
}
