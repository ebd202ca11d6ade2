import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { z } from 'zod'
import {
  type Config,
  configEnvironment,
  controlRequest,
  copyDatabase,
  loadConfig,
  runDir,
  secret,
  shareGeo,
  systemEnvironment,
  urlOf,
  freePorts,
} from '@fairway/platform'
import { type Api, apiClient } from '../api-client.ts'
import { CHECKOUT } from '../commands/checkout.ts'
import type { RoleName } from '../roles/role.ts'

const RoleState = z.object({
  state: z.string(),
  pid: z.int().nullable(),
  restarts: z.int(),
  lastExit: z.object({ at: z.string(), reason: z.string() }).nullable(),
})
type RoleState = z.infer<typeof RoleState>
const DnsState = z.object({ facts: z.object({ processes: z.array(z.object({ pid: z.int().nullable() })) }) })

export type Ran = { status: number; stdout: string; stderr: string }

export type InstallationOptions = {
  command: 'demo' | 'up'
  words?: string[]
  /** For Node.js, of every process of it. */
  nodeWords?: string[]
  settings?: Record<string, string>
  /** Settings that stand in the home's file and not in the environment, so that they can be changed. */
  file?: Record<string, string>
  readyMs?: number
  /** Where its home is made, and whatever its processes call temporary; by default where everybody's is. */
  folder?: string
  fromNothing?: boolean
  /** Its database is a copy of one that was just migrated, and does not wait for the disk: for tests, not for figures. */
  fromTemplate?: boolean
  /** It is a second machine of that installation: it has its secrets. */
  secondOf?: Installation
}

/**
 * Starts one and waits until it is ready; with `fromNothing` it makes and compiles everything itself, as a first start
 * does. @throws Error with what it wrote when it does not get there.
 */
export async function startInstallation(options: InstallationOptions): Promise<Installation> {
  const home = fs.mkdtempSync(path.join(options.folder ?? os.tmpdir(), 'fairway-'))
  // nginx's unprivileged workers pass through on their way to the cache.
  fs.chmodSync(home, 0o711)
  if (!options.fromNothing) {
    shareGeo(home)
    fs.mkdirSync(COMPILED, { recursive: true })
    fs.symlinkSync(COMPILED, path.join(home, 'cache'))
  }
  if (options.fromTemplate) await copyDatabase(home)
  if (options.secondOf)
    fs.cpSync(path.join(options.secondOf.config.home, 'secrets'), path.join(home, 'secrets'), { recursive: true })
  const installation = new Installation(
    // Nobody else knows its addresses.
    loadConfig({ FAIRWAY_HOME: home, FAIRWAY_SETUP_CODE: 'off', ...(await freeAddresses()), ...options.settings }),
    options,
  )
  await installation.start().catch(async (error: unknown) => {
    await installation[Symbol.asyncDispose]()
    throw error
  })
  return installation
}

const MAIN = path.join(import.meta.dirname, '../main.ts')

/** Compiled code takes seconds to make and is the same for everyone, so homes share it. */
const COMPILED = path.join(CHECKOUT, 'node_modules/.cache/fairway-compiled')

/** A Fairway of its own in a temporary home, on free ports, for tests and benchmarks to drive. */
export class Installation implements AsyncDisposable {
  readonly config: Config
  /** Console and API. */
  readonly url: string
  /** Calls a route of the contract as the installation's operator; for others make a client with `apiClient`. */
  readonly api: Api
  #args: string[]
  #env: Record<string, string | undefined>
  #readyMs: number
  #child: ChildProcess | null = null
  #written = ''

  constructor(
    config: Config,
    { command, words = [], nodeWords = [], file = {}, folder, readyMs = 300_000 }: InstallationOptions,
  ) {
    this.config = config
    this.url = urlOf(config.listen)
    this.api = apiClient(this.url, secret(config, 'cli-token'))
    this.#args = ['--disable-warning=ExperimentalWarning', ...nodeWords, MAIN, command, ...words]
    this.#env = { ...systemEnvironment(), ...(folder ? { TMPDIR: folder } : {}), ...configEnvironment(config) }
    for (const name of Object.keys(file)) delete this.#env[name]
    const lines = Object.entries(file).map(([name, value]) => `${name}=${value}\n`)
    if (lines.length > 0) fs.writeFileSync(path.join(config.home, 'fairway.conf'), lines.join(''))
    this.#readyMs = readyMs
  }

  get process(): ChildProcess {
    if (!this.#child) throw new Error('it was never started')
    return this.#child
  }

  /** What it wrote for people since it started. */
  output(): string {
    return this.#written
  }

  /** Starts it, again after `stop`, and waits until it is ready. */
  async start(): Promise<void> {
    this.#written = ''
    const child = spawn(process.execPath, this.#args, { env: this.#env, stdio: ['ignore', 'pipe', 'pipe'] })
    this.#child = child
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (this.#written += text))
    await untilReady(child, () => this.#written, this.#readyMs)
  }

  /** Stops it as Ctrl-C does, keeping the home. Answers the exit code. */
  async stop(): Promise<number | null> {
    const child = this.process
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
    child.kill('SIGINT')
    return ended
  }

  /** Asks a socket of its run folder by name: a role's, or `edge-admin`. @throws when it does not answer, or refuses */
  control(socket: string, method: 'GET' | 'POST', route: string, body?: unknown): Promise<unknown> {
    return controlRequest(`unix:${path.join(runDir(this.config), `${socket}.sock`)}`, method, route, body)
  }

  /** Runs a command of `./fairway` for it, as from a second terminal. */
  fairway(...words: string[]): Promise<Ran> {
    return new Promise((resolve, reject) => {
      const child = execFile(
        path.join(CHECKOUT, 'fairway'),
        words,
        { env: this.#env, maxBuffer: 16 << 20 },
        (_, stdout, stderr) => resolve({ status: child.exitCode ?? 1, stdout, stderr }),
      )
      child.once('error', reject)
    })
  }

  /** Tries to start another one with the very same settings, as a second terminal would. */
  runAgain(): { status: number | null; stderr: string } {
    return spawnSync(process.execPath, this.#args, { env: this.#env, encoding: 'utf8' })
  }

  roles(): Record<string, RoleState> {
    const text = fs.readFileSync(path.join(this.config.home, 'run', 'roles.json'), 'utf8')
    return z.object({ roles: z.record(z.string(), RoleState) }).parse(JSON.parse(text)).roles
  }

  /** Process id of the supervisor of now. */
  supervisor(): number {
    const text = fs.readFileSync(path.join(this.config.home, 'run', 'roles.json'), 'utf8')
    return z.object({ pid: z.int() }).parse(JSON.parse(text)).pid
  }

  /** Process ids of those that answer DNS. */
  async dnsProcesses(): Promise<number[]> {
    const told = DnsState.parse(await this.control('dns', 'GET', '/readyz'))
    return told.facts.processes.flatMap(({ pid }) => pid ?? [])
  }

  /** Why it is not ready, role by role; empty when it is. */
  async notReady(): Promise<string[]> {
    return z.object({ reasons: z.array(z.string()) }).parse(await this.control('supervisor', 'GET', '/readyz')).reasons
  }

  /** Ends a role's process as a crash would (SIGKILL), and answers its process id. */
  kill(role: RoleName): number {
    const pid = this.roles()[role]?.pid ?? null
    if (pid === null) throw new Error(`${role} does not run`)
    process.kill(pid, 'SIGKILL')
    return pid
  }

  /** Resolves when the role runs in another process than `killedPid`. */
  async restarted(role: RoleName, killedPid: number, timeoutMs = 10_000): Promise<void> {
    for (const giveUpAt = Date.now() + timeoutMs; ; await delay(10)) {
      const now = this.roles()[role]
      if (now?.state === 'running' && now.pid !== killedPid) return
      if (Date.now() > giveUpAt) throw new Error(`${role} was not back after ${timeoutMs} ms: ${JSON.stringify(now)}`)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
    fs.rmSync(this.config.home, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

async function freeAddresses(): Promise<Record<string, string>> {
  const names = [
    'LISTEN',
    'DNS_LISTEN',
    'EDGE_HTTP',
    'EDGE_HTTPS',
    'SHIELD_LISTEN',
    'COLLECTOR_LISTEN',
    'ORIGIN_LISTEN',
    'MEDIA_LISTEN',
    'RTMP_LISTEN',
    'WEBRTC_LISTEN',
    'METRICS_ADDRESS',
  ]
  const ports = await freePorts(names.length, ['127.0.0.1', '127.0.0.11', '127.0.0.12', '127.0.0.13'])
  return Object.fromEntries(names.map((name, at) => [`FAIRWAY_${name}`, `127.0.0.1:${ports[at]}`]))
}

async function untilReady(child: ChildProcess, written: () => string, readyMs: number): Promise<void> {
  for (const giveUpAt = Date.now() + readyMs; ; await delay(25)) {
    if (/^ready /m.test(written())) return
    const ended = child.exitCode !== null || child.signalCode !== null
    if (ended || Date.now() > giveUpAt)
      throw new Error(`Fairway ${ended ? 'ended' : 'was not ready in time'}:\n${written().slice(-3000)}`)
  }
}
