import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { type Config, type Log, configEnvironment, followsLog, systemEnvironment } from '@fairway/platform'

const AGAIN_MS = 5_000
/** One that ends at once, for want of a passphrase perhaps, must not keep the machine busy. */
const LONGEST_AGAIN_MS = 300_000

/** Starts what carries the log away, with a channel whose end tells it that nobody wants it any more. */
export type StartFollower = () => ChildProcess

/**
 * Keeps the process that carries the log of the embedded database to where backups are: another one than this, so that
 * neither a large library nor a place that hangs is in the way of what serves.
 */
export function keepLog({
  config,
  log,
  start = () => startFollower(config),
  againMs = AGAIN_MS,
}: {
  config: Config
  log: Log
  start?: StartFollower
  againMs?: number
}): AsyncDisposable {
  let child: ChildProcess | null = null
  let timer: NodeJS.Timeout | undefined
  let isOver = false
  let waitMs = againMs
  const run = () => {
    const startedAt = performance.now()
    const own = start()
    child = own
    own.once('error', (error) => log.error({ event: 'backup.log-not-started', err: error }))
    own.once('close', (code, signal) => {
      child = null
      if (isOver) return
      log.warn({ event: 'backup.log-ended', code, signal })
      waitMs = performance.now() - startedAt > LONGEST_AGAIN_MS ? againMs : Math.min(waitMs * 2, LONGEST_AGAIN_MS)
      timer = setTimeout(run, waitMs).unref()
    })
  }
  if (followsLog(config)) run()
  return {
    async [Symbol.asyncDispose]() {
      isOver = true
      clearTimeout(timer)
      const own = child
      if (own === null) return
      const closed = new Promise((resolve) => own.once('close', resolve))
      own.kill('SIGTERM')
      await closed
    },
  }
}

function startFollower(config: Config): ChildProcess {
  const main = path.join(import.meta.dirname, '../main.ts')
  return spawn(process.execPath, [...process.execArgv, main, 'backup', 'follow'], {
    env: { ...systemEnvironment(), ...configEnvironment(config) },
    stdio: ['pipe', 'ignore', 'inherit'],
  })
}
