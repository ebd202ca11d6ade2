import fs from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import type net from 'node:net'
import { getCACertificates } from 'node:tls'
import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client'
import { type Config, Problem, readClickhouseUrl } from '@fairway/platform'
import { facadeSocket, storePassword } from '../facade/facade-address.ts'
import { type StoreAway, mayDiffer, readFailure } from './store-error.ts'

type Server = { name: string; client: ClickHouseClient; probe: NodeJS.Timeout | null }

/** What one server is given: it is given up when the signal says so. */
type Work<T> = (client: ClickHouseClient, signal: AbortSignal | undefined) => Promise<T>

const REQUEST_TIMEOUT_MS = 30_000
const CONNECT_TIMEOUT_MS = 3_000
const PING_TIMEOUT_MS = 1_500
/** While an answer is waited for, its server is asked this often whether it is there; twice not, and it is left. */
const WATCH_MS = 2_000
const SILENT_MOST = 2
/** A server that was left is asked again after so long, then later and later; no call waits for that. */
const PROBE_MS = { first: 1_000, most: 30_000 }
const SOCKETS = 16

/**
 * The servers of the store, in the order of the setting. A call goes to the first that is not known to be away, so that
 * all processes read where they have written; when it fails there, to the next one, if it may be made twice or was
 * never begun.
 */
export class StoreServers {
  readonly #servers: Server[]
  #closed = false

  private constructor(servers: Server[]) {
    this.#servers = servers
  }

  static embedded(config: Config): StoreServers {
    const options = { keepAlive: true, maxSockets: SOCKETS, socketPath: facadeSocket(config) } as http.AgentOptions
    const client = createClient({
      url: 'http://store',
      http_agent: new http.Agent(options),
      username: 'fairway',
      password: storePassword(config),
      ...commonOptions,
    })
    return new StoreServers([{ name: 'the embedded engine', client, probe: null }])
  }

  /** @param names of the address, when not all of them are meant. @throws Problem when a file cannot be read */
  static outside(config: Config, names: readonly string[] = serverNames(config)): StoreServers {
    const address = addressOf(config)
    const username = config.clickhouseUser || address.user || 'default'
    const password = passwordOf(config) || address.password
    const authorities = config.clickhouseCaFile === '' ? undefined : authoritiesOf(config.clickhouseCaFile)
    return new StoreServers(
      names.map((name) => {
        const agentOptions = { keepAlive: true, maxSockets: SOCKETS }
        const agent = name.startsWith('https:')
          ? new https.Agent({ ...agentOptions, ...(authorities ? { ca: authorities } : {}) })
          : new http.Agent(agentOptions)
        connectSoon(agent)
        const { clickhouse_settings: common, ...options } = commonOptions
        return {
          name,
          probe: null,
          client: createClient({
            url: name,
            http_agent: agent,
            username,
            password,
            ...(address.database === '' ? {} : { database: address.database }),
            ...options,
            clickhouse_settings: {
              ...common,
              ...COUNTED_ONCE,
              ...(config.clickhouseCluster === '' ? {} : OVER_SHARDS),
            },
          }),
        }
      }),
    )
  }

  /**
   * @param mayRepeat whether the call may be made twice: a question, or an insert with a token that all servers know
   * @throws StoreAway, StoreRefused
   */
  async run<T>(work: Work<T>, { mayRepeat }: { mayRepeat: boolean }): Promise<T> {
    let last: StoreAway | null = null
    for (const server of this.#inOrder()) {
      try {
        return await this.#watched(server, work)
      } catch (error) {
        const failure = readFailure(error)
        if (failure.isConnection) this.#leave(server)
        if (!mayDiffer(failure) || !(failure.isUnsent || mayRepeat)) throw failure.error
        last = failure.error
      }
    }
    throw last ?? new Error('a store has one server at least')
  }

  /** Whether one of them answers. */
  async isAnswering(): Promise<boolean> {
    const answers = this.#inOrder().map(async (server) => {
      if (!(await answersPing(server.client))) throw new Error('silent')
    })
    return Promise.any(answers).then(
      () => true,
      () => false,
    )
  }

  async close(): Promise<void> {
    this.#closed = true
    for (const { probe } of this.#servers) if (probe) clearTimeout(probe)
    await Promise.all(this.#servers.map(({ client }) => client.close()))
  }

  /** Those that are away are tried only when no other is left: nobody has anything to lose then. */
  #inOrder(): Server[] {
    const there = this.#servers.filter(({ probe }) => probe === null)
    return there.length > 0 ? there : this.#servers
  }

  async #watched<T>(server: Server, work: Work<T>): Promise<T> {
    // The only one is waited for as long as a request may take: there is nowhere else to go.
    if (this.#servers.length === 1) return work(server.client, undefined)
    const given = new AbortController()
    let watch: NodeJS.Timeout | undefined
    const left = new Promise<never>((_, reject) => {
      let silent = 0
      watch = setInterval(() => {
        void answersPing(server.client).then((answers) => {
          silent = answers ? 0 : silent + 1
          if (silent < SILENT_MOST) return
          reject(new Error(`${server.name} has fallen silent`))
          given.abort()
        })
      }, WATCH_MS)
    })
    try {
      return await Promise.race([work(server.client, given.signal), left])
    } finally {
      clearInterval(watch)
    }
  }

  /** Takes the server out of the order until it answers again. */
  #leave(server: Server): void {
    if (this.#servers.length === 1 || server.probe !== null || this.#closed) return
    const again = (waitMs: number) => {
      server.probe = setTimeout(() => {
        void answersPing(server.client).then((answers) => {
          if (this.#closed) return
          if (answers) server.probe = null
          else again(Math.min(waitMs * 2, PROBE_MS.most))
        })
      }, waitMs).unref()
    }
    again(PROBE_MS.first)
  }
}

/** Origins of the servers that the settings name, in order. */
export const serverNames = (config: Config): string[] => addressOf(config).servers

/** Who asks there. */
export const storeUser = (config: Config): string => config.clickhouseUser || addressOf(config).user || 'default'

const commonOptions = {
  application: 'fairway',
  request_timeout: REQUEST_TIMEOUT_MS,
  max_open_connections: SOCKETS,
  log: { level: ClickHouseLogLevel.OFF },
  clickhouse_settings: {
    // Versions differ in their defaults; the product reads numbers.
    output_format_json_quote_64bit_integers: 0,
    // An unknown name is a bug of ours, not something to skip.
    input_format_skip_unknown_fields: 0,
  },
} as const

/** An insert that waits with others in the server's memory is not held against its token. */
const COUNTED_ONCE = { async_insert: 0, insert_deduplicate: 1 } as const

/**
 * Through tables over shards: an insert is answered when the shards have it, lists inside a question are of all shards,
 * what is selected is grouped over all of them before it is written, and a table is read from the replica that it was
 * written to while that is there and not behind.
 */
const OVER_SHARDS = {
  distributed_foreground_insert: 1,
  distributed_product_mode: 'global',
  parallel_distributed_insert_select: '0',
  load_balancing: 'in_order',
  max_replica_delay_for_distributed_queries: '30',
  distributed_ddl_task_timeout: '20',
} as const

function addressOf(config: Config) {
  const address = readClickhouseUrl(config.clickhouseUrl)
  if (typeof address === 'string') throw new Problem(`FAIRWAY_CLICKHOUSE_URL ${address}.`)
  return address
}

function passwordOf({ clickhousePasswordFile: file, clickhousePassword }: Config): string {
  if (file === '') return clickhousePassword
  try {
    return fs.readFileSync(file, 'utf8').split(/\r?\n/)[0] ?? ''
  } catch (error) {
    throw unreadable('FAIRWAY_CLICKHOUSE_PASSWORD_FILE', file, error)
  }
}

function authoritiesOf(file: string): string[] {
  try {
    const more = fs.readFileSync(file, 'utf8').match(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)
    if (!more) throw new Error('it holds no certificate')
    return [...getCACertificates('default'), ...more]
  } catch (error) {
    throw unreadable('FAIRWAY_CLICKHOUSE_CA_FILE', file, error)
  }
}

const unreadable = (setting: string, file: string, error: unknown): Problem =>
  new Problem(
    `${file} cannot be used (${error instanceof Error ? error.message : String(error)}). Change ${setting}.`,
    {
      cause: error,
    },
  )

/** A host that takes packets and answers none would cost each call all of its time. */
function connectSoon(agent: http.Agent): void {
  const connect = agent.createConnection.bind(agent)
  agent.createConnection = (options, done) => {
    const socket = connect(options, done) as net.Socket
    const timer = setTimeout(() => {
      const error = new Error(`no connection within ${CONNECT_TIMEOUT_MS / 1000} s`)
      socket.destroy(Object.assign(error, { code: 'ERR_NOT_CONNECTED' }))
    }, CONNECT_TIMEOUT_MS)
    const there = agent instanceof https.Agent ? 'secureConnect' : 'connect'
    for (const event of [there, 'close'] as const) socket.once(event, () => clearTimeout(timer))
    return socket
  }
}

async function answersPing(client: ClickHouseClient): Promise<boolean> {
  const late = new Promise<false>((resolve) => setTimeout(resolve, PING_TIMEOUT_MS, false).unref())
  return Promise.race([client.ping().then((answer) => answer.success), late])
}
