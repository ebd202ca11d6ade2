import fs from 'node:fs'
import path from 'node:path'
import { type Config, type Log, Problem, makeMetrics, runDir, startControl } from '@fairway/platform'
import { Gauge } from 'prom-client'
import { openStore } from '../store/store.ts'
import { explainStore, inspectServers } from '../store/inspect.ts'
import { keepFor } from '../store/keep-for.ts'
import { fillNewServers, migrateStore } from '../store/migrate.ts'
import { facadeServer } from './facade-server.ts'
import { facadeSocket, storePassword } from './facade-address.ts'

/**
 * chDB runs each statement on a libuv thread: the supervisor gives this process UV_THREADPOOL_SIZE of at least this
 * plus eight.
 */
const SESSIONS = 5

/**
 * The engine compares its memory with what the system says of it once a second: by itself it does so twenty times a
 * second, also while nobody asks anything.
 */
const ENGINE = '<clickhouse><memory_worker_period_ms>1000</memory_worker_period_ms></clickhouse>\n'

/**
 * The role `store`: the embedded analytics engine behind ClickHouse's HTTP interface, on a unix socket in the run
 * folder, with a password of the installation.
 * With an outside ClickHouse configured it only keeps that one's tables up to date.
 */
export async function startStore({ config, log }: { config: Config; log: Log }): Promise<AsyncDisposable> {
  await using stack = new AsyncDisposableStack()
  const metrics = makeMetrics('store')
  if (!config.clickhouseUrl) await startEngine(config, log, stack, metrics)
  const store = stack.use(openStore(config))
  const state = { migrated: false, problem: 'the tables are not prepared yet' }
  await startControlSocket()
  const stopping = new AbortController()
  stack.defer(() => stopping.abort())
  const migrating = keepMigrating()
  // The embedded engine is here, so its tables must be too before others start; an outside server may be away.
  if (!config.clickhouseUrl) await migrating
  const owned = stack.move()
  return { [Symbol.asyncDispose]: () => owned.disposeAsync() }

  async function startControlSocket(): Promise<void> {
    const ready = async () => {
      const answers = await store.isAnswering()
      const reasons = [
        ...(answers ? [] : ['the event store does not answer']),
        ...(state.migrated ? [] : [state.problem]),
      ]
      return { ready: reasons.length === 0, reasons, facts: { engine: config.clickhouseUrl ? 'outside' : 'embedded' } }
    }
    stack.use(await startControl({ config, role: 'store', log, ready, metrics: () => metrics.metrics() }))
  }
  /** What is known to end in half made tables is said before any is made. A server that is away is no reason to wait. */
  async function refuseUnfit(): Promise<void> {
    const found = await inspectServers(config)
    const unfit = found.filter(({ problem }) => problem !== null)
    for (const { server, problem } of unfit) log.warn({ event: 'store.server-unfit', server, problem })
    const [first] = unfit
    if (first && unfit.length === found.length) throw new Problem(`${first.server}: ${first.problem}`)
  }
  async function keepMigrating(): Promise<void> {
    for (let waitMs = 250; !stopping.signal.aborted; waitMs = Math.min(waitMs * 2, 5000)) {
      try {
        await refuseUnfit()
        await migrateStore(store)
        await keepFor(store)
        await fillNewServers(store)
        state.migrated = true
        return
      } catch (error) {
        state.problem = explainStore(error, config)
        if (!config.clickhouseUrl) throw error
        log.warn({ event: 'store.migration-waits', problem: state.problem })
        await new Promise((resolve) => setTimeout(resolve, waitMs))
      }
    }
  }
}

async function startEngine(
  config: Config,
  log: Log,
  stack: AsyncDisposableStack,
  metrics: ReturnType<typeof makeMetrics>,
): Promise<void> {
  const folder = path.join(config.home, 'store')
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Loading the engine costs 200 MB: only this role does.
  const { openSessionPool } = await import('./session-pool.ts')
  const engineFile = path.join(runDir(config), 'store.xml')
  fs.mkdirSync(path.dirname(engineFile), { recursive: true })
  fs.writeFileSync(engineFile, ENGINE)
  const pool = stack.use(openSessionPool(folder, SESSIONS, engineFile))
  const lease = await pool.borrow('read')
  const version = (await lease.session.queryAsync('SELECT version()', { format: 'TSV' })).text().trim()
  lease.release()
  const gauge = (name: string, help: string, figure: () => number) =>
    metrics.registerMetric(
      new Gauge({
        name,
        help,
        registers: [],
        collect() {
          this.set(figure())
        },
      }),
    )
  gauge('fairway_store_running_statements', 'Statements that hold a session of the engine', () => pool.busy().running)
  gauge('fairway_store_waiting_statements', 'Statements that wait for a session', () => pool.busy().waiting)
  const server = facadeServer({ pool, password: storePassword(config), version, log })
  const socket = facadeSocket(config)
  fs.rmSync(socket, { force: true })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(socket, resolve))
  fs.chmodSync(socket, 0o600)
  stack.defer(async () => {
    server.closeIdleConnections()
    const force = setTimeout(() => server.closeAllConnections(), 1000)
    await new Promise((resolve) => server.close(resolve))
    clearTimeout(force)
    fs.rmSync(socket, { force: true })
  })
  log.info({ event: 'store.serving', socket, engine: version, sessions: SESSIONS })
}
