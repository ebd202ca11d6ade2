import type { ChildProcess } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { connectionOf, databaseFolder, DATABASE_NAME } from './connection.ts'
import { createCluster, spawnPostgres } from './cluster.ts'
import { DatabaseError } from './database-error.ts'
import { databaseRefusal } from './refusal.ts'
import { dropForeignLock, runningPostmaster } from './postmaster.ts'

/** Starting again is tried for this long: after a crash the old server's last processes may still be leaving. */
const START_PATIENCE_MS = 30_000
const STOP_PATIENCE_MS = 6_000

export type EmbeddedDatabase = AsyncDisposable & {
  pid: number
  /** A server that outlived the process that started it was found and taken over. */
  adopted: boolean
  /** Settles when the server ends without having been asked to. */
  ended: Promise<string>
}

/**
 * Starts PostgreSQL in `<home>/database` on a unix socket, making the cluster the first time. A server that is still
 * running there is taken over.
 * @throws DatabaseError when it cannot start.
 */
export async function startEmbeddedDatabase({ config, log }: { config: Config; log: Log }): Promise<EmbeddedDatabase> {
  const folder = databaseFolder(config)
  if (!fs.existsSync(path.join(folder, 'PG_VERSION'))) await createCluster(config, log)
  const server = (await adopt(config, log)) ?? (await startServer(config, log))
  await createDatabase(config)
  log.info({ event: 'database.started', pid: server.pid, adopted: server.child === null })
  let stopping = false
  return {
    pid: server.pid,
    adopted: server.child === null,
    ended: gone(server).then((how) => (stopping ? new Promise<string>(() => {}) : how)),
    async [Symbol.asyncDispose]() {
      stopping = true
      await stopServer(server, log)
    },
  }
}

/** Ends a server that runs in this home without anybody watching it, at once (its next start recovers). */
export function endOrphanDatabase(config: { home: string }): void {
  const pid = runningPostmaster(databaseFolder(config))
  if (pid !== null) process.kill(pid, 'SIGQUIT')
}

type Server = { pid: number; child: ChildProcess | null }

/** The server that an earlier process left running here, when it answers; one that does not is ended. */
async function adopt(config: Config, log: Log): Promise<Server | null> {
  const pid = runningPostmaster(databaseFolder(config))
  if (pid === null) return null
  const server: Server = { pid, child: null }
  try {
    await answering(config, server)
    return server
  } catch (error) {
    if (error instanceof DatabaseError) throw error
    log.warn({ event: 'database.not-adopted', pid, err: error })
    await stopServer(server, log)
    return null
  }
}

async function startServer(config: Config, log: Log): Promise<Server> {
  const giveUpAt = performance.now() + START_PATIENCE_MS
  for (let attempt = 1; ; attempt++) {
    dropForeignLock(config)
    const child = await spawnPostgres(config)
    const server = { pid: child.pid ?? 0, child }
    const failure = await answering(config, server).then(
      () => null,
      (error: Error) => error,
    )
    if (failure === null) return server
    const text = lastLogLines(config)
    log.warn({ event: 'database.start-failed', attempt, log: text, err: failure })
    if (!passing(text) || performance.now() > giveUpAt)
      throw new DatabaseError(`The embedded database did not start. ${advice(config, text)}\n${text}`)
    await delay(Math.min(1000, 50 * 2 ** attempt))
  }
}

/** Waits until the server lets us in. */
async function answering(config: Config, server: Server): Promise<void> {
  const giveUpAt = performance.now() + START_PATIENCE_MS
  for (;;) {
    const refusal = await databaseRefusal({ ...connectionOf(config), database: 'postgres' })
    if (refusal === null) return
    if (!alive(server)) throw new Error(`PostgreSQL ended: ${refusal}`)
    if (/password authentication failed/.test(refusal)) {
      server.child?.kill('SIGINT')
      throw new DatabaseError(
        `The password in ${config.home}/secrets/database-password is not the one of the database in ${databaseFolder(config)}. Put the old file back, or move both away to begin with an empty database.`,
      )
    }
    if (performance.now() > giveUpAt) throw new Error(`PostgreSQL does not answer: ${refusal}`)
    await delay(20)
  }
}

async function createDatabase(config: Config): Promise<void> {
  const client = new pg.Client({ ...connectionOf(config), database: 'postgres' })
  await client.connect()
  try {
    const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [DATABASE_NAME])
    if (!rowCount) await client.query(`CREATE DATABASE ${DATABASE_NAME}`)
  } finally {
    await client.end()
  }
}

async function stopServer(server: Server, log: Log): Promise<void> {
  // SIGINT: fast shutdown, sessions are rolled back; SIGQUIT: at once, recovery at the next start.
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!alive(server)) return
    process.kill(server.pid, signal)
    const ended = await Promise.race([gone(server).then(() => true), delay(STOP_PATIENCE_MS, false, { ref: false })])
    if (ended) return
    log.warn({ event: 'database.stop-slow', signal })
  }
}

async function gone(server: Server): Promise<string> {
  const { child } = server
  if (child && child.exitCode === null && child.signalCode === null) {
    return new Promise((resolve) => child.once('exit', (code, signal) => resolve(signal ?? `exit ${code}`)))
  }
  while (alive(server)) await delay(200)
  return child?.signalCode ?? `exit ${child?.exitCode ?? 'unknown'}`
}

function alive({ pid, child }: Server): boolean {
  if (child) return child.exitCode === null && child.signalCode === null
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

function lastLogLines(config: Config): string {
  const file = path.join(config.home, 'log', 'postgresql.log')
  if (!fs.existsSync(file)) return ''
  return fs.readFileSync(file, 'utf8').trimEnd().split('\n').slice(-4).join('\n')
}

/** Failures that pass by themselves: a crashed server's processes still hold its memory, its socket or its lock. */
function passing(text: string): boolean {
  return /still in use|already exists|is another postmaster|starting up|shutting down/i.test(text)
}

function advice(config: Config, text: string): string {
  const folder = databaseFolder(config)
  if (/No space left on device/i.test(text))
    return `The disk that holds ${folder} is full: free some space and start again.`
  if (/Permission denied/i.test(text)) return `Permission denied: the user who starts Fairway must own ${folder}.`
  if (/incompatible with server/i.test(text))
    return `The files in ${folder} were made by another version of PostgreSQL: start the Fairway version that made them, or move the folder away to begin empty.`
  return `The files in ${folder} seem damaged: put back a copy of the folder, or move it away to begin with an empty database.`
}
