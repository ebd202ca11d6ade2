import { type ChildProcess, execFileSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Config, loadConfig } from '../config.ts'
import { freePort } from '../free-ports.ts'
import { spawnPostgres } from './cluster.ts'
import { DATABASE_NAME, databaseFolder, databasePassword } from './connection.ts'
import { copyDatabase } from './database-template.ts'

const READER = 'reader'
const READER_PASSWORD = 'p/w'

/** A server of a streaming pair. */
export class ServerUnderTest {
  readonly port: number
  private readonly config: Config
  private readonly settings: Record<string, string>
  private readonly database: string
  private child: ChildProcess | null = null

  constructor(home: string, port: number, settings: Record<string, string> = {}, database = DATABASE_NAME) {
    this.config = loadConfig({ FAIRWAY_HOME: home, FAIRWAY_LOG_LEVEL: 'error' })
    this.port = port
    this.settings = settings
    this.database = database
  }

  /** By the owner's role, or by one that may only step into the three that transactions step into. */
  urlAs(who: 'owner' | 'reader', parameters = ''): string {
    const [user, password] = who === 'owner' ? ['fairway', databasePassword(this.config)] : [READER, READER_PASSWORD]
    return `postgres://${user}:${encodeURIComponent(password ?? '')}@127.0.0.1:${this.port}/${this.database}${parameters}`
  }

  async start(): Promise<void> {
    this.child = await spawnPostgres(this.config, {
      listen_addresses: '127.0.0.1',
      port: String(this.port),
      max_wal_senders: '4',
      ...this.settings,
    })
    while ((await this.ask('SELECT 1').catch(() => null)) === null) {
      if (this.child.exitCode !== null) throw new Error('the server ended: see its log')
      await sleep(20)
    }
  }

  /** As the owner, on a connection of its own. */
  async ask(sql: string): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: this.urlAs('owner') })
    client.on('error', () => {})
    await client.connect()
    try {
      return (await client.query<Record<string, unknown>>(sql)).rows
    } finally {
      await client.end()
    }
  }

  /** To the server and everything that it has started. */
  signal(signal: NodeJS.Signals): void {
    const pid = this.child?.pid
    if (!pid || this.child?.exitCode !== null || this.child.signalCode !== null) return
    const children = fs.readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
    for (const one of [pid, ...children.filter(Boolean).map(Number)])
      try {
        process.kill(one, signal)
      } catch {
        // It has ended since.
      }
  }

  async end(signal: 'SIGINT' | 'SIGKILL' = 'SIGINT'): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = once(this.child, 'exit')
    if (signal === 'SIGINT') this.child.kill(signal)
    else this.signal(signal)
    await ended
  }
}

/** A PostgreSQL with the newest schema, and a streaming replica of it, below that folder. */
export async function startStreamingPair(
  folder: string,
): Promise<AsyncDisposable & { primary: ServerUnderTest; replica: ServerUnderTest }> {
  const [ofPrimary, ofReplica] = [path.join(folder, 'primary'), path.join(folder, 'replica')]
  fs.mkdirSync(ofPrimary, { recursive: true })
  await copyDatabase(ofPrimary)
  execFileSync('cp', ['-a', '--reflink=auto', ofPrimary, ofReplica])
  fs.writeFileSync(path.join(databaseFolder({ home: ofReplica }), 'standby.signal'), '')
  const primary = new ServerUnderTest(ofPrimary, await freePort())
  const password = databasePassword(loadConfig({ FAIRWAY_HOME: ofPrimary }))
  const replica = new ServerUnderTest(ofReplica, await freePort(), {
    primary_conninfo: `host=127.0.0.1 port=${primary.port} user=fairway password=${password}`,
    wal_retrieve_retry_interval: '100ms',
  })
  await using started = new AsyncDisposableStack()
  for (const server of [primary, replica]) {
    await server.start()
    started.defer(() => {
      server.signal('SIGCONT')
      return server.end()
    })
  }
  await primary.ask(
    `CREATE ROLE ${READER} LOGIN PASSWORD '${READER_PASSWORD}'; GRANT fairway_app, fairway_system, fairway_partner TO ${READER}`,
  )
  const stop = started.move()
  return { primary, replica, [Symbol.asyncDispose]: () => stop.disposeAsync() }
}
