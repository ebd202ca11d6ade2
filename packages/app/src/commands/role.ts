import { flushCompileCache } from 'node:module'
import { VERSION } from '@fairway/contract/lean'
import { loadConfig } from '@fairway/platform/config'
import { makeLog, type Config, type Log } from '@fairway/platform/lean'
import { ROLES } from '../roles/roles.ts'
import { isRoleName } from '../roles/role.ts'
import { abandoned } from '../supervisor/abandoned.ts'
import { explainFailure } from '../supervisor/explain-failure.ts'
import { socketsIn } from '../supervisor/inherited-sockets.ts'
import type { FromRole } from '../supervisor/messages.ts'
import { UsageError } from './options.ts'

/**
 * Runs one role in this process until it is told to stop or cannot go on. When its supervisor dies it waits for the
 * next one.
 */
export async function role([name = '', ...words]: string[]): Promise<number> {
  if (!isRoleName(name)) throw new UsageError(`there is no role "${name}". Roles: ${Object.keys(ROLES).join(', ')}.`)
  const spec = ROLES[name]
  const config = loadConfig()
  const { log, flush } = await logOf(name, config)
  const tell = (message: FromRole) => process.connected && process.send?.(message)
  const die = async (reason: string, error?: unknown): Promise<never> => {
    log.error({ event: 'role.died', reason, err: error })
    tell({ kind: 'died', reason, sentence: explainFailure(error, config) })
    if (flush) await flush()
    process.exit(1)
  }
  process.on('uncaughtException', (error) => void die(error.message, error))
  process.on('unhandledRejection', (error) => void die(error instanceof Error ? error.message : String(error), error))
  const asked = Promise.race([toldToStop(), abandoned(config.home, name, spec.servesOn ?? false)])
  const starting = spec
    .load()
    .then((start) => start({ config, log, sockets: socketsIn(words), die: (reason) => void die(reason) }))
  const running = await starting.catch((error: unknown) =>
    die(error instanceof Error ? error.message : String(error), error),
  )
  tell({ kind: 'started' })
  log.info({ event: 'role.started', ms: Math.round(performance.now()) })
  // Compiled code is written at a clean exit only; a role that is killed wants it most.
  setTimeout(flushCompileCache, 1000).unref()
  const why = await asked
  log.info({ event: 'role.stopping', why })
  setTimeout(() => process.exit(1), spec.stopMs + 500).unref()
  await running[Symbol.asyncDispose]()
  process.exit(0)
}

/**
 * The role's log; with a service for errors they are told there too. Loaded then only: most roles need nothing else of
 * the drivers.
 */
async function logOf(name: string, config: Config): Promise<{ log: Log; flush: (() => Promise<void>) | null }> {
  const log = makeLog(name, config)
  if (config.errorReportsDsn === '') return { log, flush: null }
  const { openErrorReports, reportingLog } = await import('@fairway/drivers')
  const reports = openErrorReports(config, VERSION)
  return { log: reportingLog(log, name, reports), flush: reports && (() => reports.flush()) }
}

/** Ctrl-C may reach every process of a terminal; only the keeper acts on it, so that the order of stopping stays. */
function toldToStop(): Promise<string> {
  process.on('SIGINT', () => {})
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve('SIGTERM'))
  })
}
