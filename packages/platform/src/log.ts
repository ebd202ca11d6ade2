import fs from 'node:fs'
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
    {
      level: config.logLevel,
      serializers: { err: readable },
      base: { role, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: ['*.password', '*.authorization', '*.cookie', '*.token', 'password', 'token'], censor: '[cut]' },
    },
    { write: writeLine },
  ) as unknown as Log
}

/** A line that a full disk does not take is lost; whoever wrote it goes on serving. */
function writeLine(line: string): void {
  const bytes = Buffer.from(line)
  let [at, waits] = [0, 0]
  while (at < bytes.length) {
    try {
      at += fs.writeSync(2, bytes, at)
    } catch (error) {
      // A reader at the other end of a pipe may be slow for a moment.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN' || waits++ >= PIPE_WAITS) return
      Atomics.wait(NOTHING, 0, 0, 5)
    }
  }
}

const PIPE_WAITS = 200
const NOTHING = new Int32Array(new SharedArrayBuffer(4))

/** What ended by a signal or a timeout carries a table of two dozen constants along. */
function readable(error: Error): unknown {
  return error instanceof DOMException ? { type: error.name, message: error.message } : pino.stdSerializers.err(error)
}
