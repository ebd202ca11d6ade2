import { spawn } from 'node:child_process'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import net from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Config, type Log, Problem, identityOf, nodeSecret, systemEnvironment } from '@fairway/platform'
import { type Generation, endGenerations, generations, runningOf } from '../nginx/generations.ts'
import type { EdgeLayout } from '../nginx/layout.ts'
import { frontConfiguration } from './configuration.ts'
import { findCaddy } from './program.ts'

/** `off`: no setting names an address. `missing`: its program is not installed. */
export type FrontState = { state: 'off' | 'missing' | 'starting' | 'running'; restarts: number; problem: string }

/** The process that speaks HTTP/3 with visitors. nginx serves without it, and says only while it lives that it is there. */
export type Front = AsyncDisposable & {
  /** Whether this machine has what it takes. */ isOffered: boolean
  state(): FrontState
  /** Port that visitors are told of; empty while nobody answers there. */
  port(): string
  /** Begins; called once nginx is there to be asked. */ start(): void
}

type Options = {
  config: Config
  layout: EdgeLayout
  /** Account of nginx's workers, or null where we are no root. */ user: string | null
  log: Log
  /** Told to nginx, in turn with other news. */ changed(port: string): Promise<void>
  /** Finds its program. */ find?: () => Promise<string | null>
}

const LOOK_MS = 250
const START_MS = 15_000
const LONGEST_PAUSE_MS = 10_000
/** QUIC of that age can be made to remember too much; what grows beyond this is started anew. */
const MOST_MEMORY_KB = 512 << 10
const END: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGTERM', 1000],
  ['SIGKILL', 500],
]

export async function startFront(options: Options): Promise<Front> {
  const { config, layout, log } = options
  const listen = config.edgeHttp3
  const program = listen === null ? null : await (options.find ?? findCaddy)()
  const known = generations(layout.frontFolder)
  const endAll = async () => {
    await endGenerations(known.all(), layout.frontFolder, END)
    for (const { number } of known.all()) known.remove(number)
  }
  if (listen === null || program === null) {
    // One that was left when it was still wanted.
    await endAll()
    if (listen !== null) log.info({ event: 'front.missing', reason: 'caddy is not installed, so there is no HTTP/3' })
    return {
      isOffered: false,
      state: () => ({ state: listen === null ? 'off' : 'missing', restarts: 0, problem: '' }),
      port: () => '',
      start: () => {},
      [Symbol.asyncDispose]: async () => {},
    }
  }
  // Another one for each port: who was first at a port and heard the word can do nothing with it elsewhere.
  const tokenAt = (port: number) => nodeSecret(config, `front ${port}`, 32).toString('base64url')
  const announced = `${config.edgeHttp3Announced || listen.port}`
  const settings = (port: number) => ({
    listen,
    inside: { host: INSIDE, port },
    token: tokenAt(port),
    visitorsSocket: layout.visitorsSocket,
    certificatesSocket: layout.certificatesSocket,
    hintsSocket: layout.hintsSocket,
  })
  const id = crypto
    .createHash('sha256')
    .update(`${program} ${JSON.stringify(frontConfiguration(settings(0)))}`)
    .digest('hex')
    .slice(0, 16)
  let run: Generation | null = null
  let [restarts, problem, told] = [-1, '', '']
  const stopping = new AbortController()
  const tell = async (port: string) => {
    if (told === port) return
    await options
      .changed(port)
      .then(() => (told = port))
      .catch((error: unknown) => log.error({ event: 'front.not-told', err: error }))
  }
  const livesOn = (one: Generation) => runningOf(one, layout.frontFolder).master
  const loop = async () => {
    let waitMs = LOOK_MS
    while (!stopping.signal.aborted) {
      try {
        if (run !== null && memoryKb(run.pid) > MOST_MEMORY_KB) {
          log.error({ event: 'front.too-large', frontPid: run.pid })
          await endGenerations([run], layout.frontFolder, [['SIGKILL', 500]])
        }
        if (run !== null && !livesOn(run)) {
          log.error({ event: 'front.ended', frontPid: run.pid })
          known.remove(run.number)
          run = null
          await tell('')
        }
        if (run === null) {
          restarts += 1
          run = (await adopt(known.all().at(-1))) ?? (await startOne())
          log.info({ event: 'front.started', frontPid: run.pid })
          problem = ''
        }
        await tell(announced)
        waitMs = LOOK_MS
        await sleep(LOOK_MS, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error)
        log.error({ event: 'front.failed', err: error })
        await sleep(waitMs, undefined, { ref: false, signal: stopping.signal }).catch(() => {})
        waitMs = Math.min(LONGEST_PAUSE_MS, waitMs * 2)
      }
    }
  }
  /** One that an agent before has left, with the configuration of now. */
  const adopt = async (former: Generation | undefined): Promise<Generation | null> => {
    if (former === undefined || former.configuration !== id || !livesOn(former)) return null
    return (await answers(former.number, tokenAt(former.number))) ? former : null
  }
  const startOne = async (): Promise<Generation> => {
    await endAll()
    const port = await freePort()
    const said = path.join(layout.frontFolder, 'front.log')
    const fd = fs.openSync(said, 'w', 0o600)
    const [command, ...before] = asAccount(options.user, listen.port)
    const child = spawn(
      command ?? program,
      command === undefined ? ['run', '--config', '-'] : [...before, program, 'run', '--config', '-'],
      {
        detached: true,
        cwd: layout.frontFolder,
        stdio: ['pipe', fd, fd],
        // What it writes stays in its folder, and what it may use is bounded.
        env: {
          ...systemEnvironment(),
          HOME: layout.frontFolder,
          XDG_DATA_HOME: layout.frontFolder,
          XDG_CONFIG_HOME: layout.frontFolder,
          GOMEMLIMIT: '256MiB',
        },
      },
    )
    fs.closeSync(fd)
    child.unref()
    let over: string | null = null
    child.once('error', (error) => (over = error.message))
    child.once('exit', (code, signal) => (over = signal ?? `exit code ${code}`))
    // It may end before it has read.
    child.stdin?.on('error', () => {})
    child.stdin?.end(JSON.stringify(frontConfiguration(settings(port))))
    const generation = { ...identityOf(child.pid ?? 0), number: port, configuration: id }
    if (child.pid !== undefined) known.add(generation)
    for (const since = performance.now(); ; await sleep(20)) {
      if (over === null && (await answers(port, tokenAt(port)))) return generation
      if (over === null && performance.now() - since < START_MS && !stopping.signal.aborted) continue
      await endGenerations([generation], layout.frontFolder, END)
      known.remove(port)
      throw new Problem(`the HTTP/3 front does not run (${over ?? 'no answer'}): ${lastWords(said)}`)
    }
  }
  let running: Promise<void> | null = null
  return {
    isOffered: true,
    state: () => ({ state: told === '' ? 'starting' : 'running', restarts: Math.max(0, restarts), problem }),
    port: () => (run === null ? '' : announced),
    start() {
      running ??= loop()
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await running
      await endAll()
    },
  }
}

const INSIDE = '127.0.0.1'

/** Whether it passes questions on to nginx: then both of its servers are there, for it starts with both or not at all. */
function answers(port: number, token: string): Promise<boolean> {
  return new Promise((resolve) => {
    const request = http.get({ host: INSIDE, port, path: `/${token}`, agent: false, timeout: 2000 }, (response) => {
      response.resume()
      resolve(response.statusCode === 204)
    })
    request.on('timeout', () => request.destroy())
    request.on('error', () => resolve(false))
  })
}

async function freePort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(0, INSIDE, resolve))
  const at = server.address()
  await new Promise((resolve) => server.close(resolve))
  return typeof at === 'object' && at !== null ? at.port : 0
}

function memoryKb(pid: number): number {
  try {
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0)
  } catch {
    return 0
  }
}

/** What puts a program under the account of nginx's workers, with no right but to listen; empty where we are no root. */
function asAccount(user: string | null, port: number): string[] {
  const entry = user === null || user === 'root' ? undefined : accountOf(user)
  if (entry === undefined) return []
  const rights = port < 1024 ? '-all,+net_bind_service' : '-all'
  return [
    'setpriv',
    `--reuid=${entry.uid}`,
    `--regid=${entry.gid}`,
    '--clear-groups',
    `--inh-caps=${rights}`,
    `--ambient-caps=${rights}`,
    `--bounding-set=${rights}`,
    '--no-new-privs',
  ]
}

function accountOf(user: string): { uid: number; gid: number } | undefined {
  const [, uid, gid] =
    new RegExp(`^${user}:[^:]*:(\\d+):(\\d+):`, 'm').exec(fs.readFileSync('/etc/passwd', 'utf8')) ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/** The folder of its sockets and files, closed to everybody but the account that it runs under. */
export function ownFrontFolder(folder: string, user: string | null): void {
  fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
  fs.chmodSync(folder, 0o700)
  const entry = user === null || user === 'root' ? undefined : accountOf(user)
  if (entry !== undefined) fs.chownSync(folder, entry.uid, entry.gid)
}

const lastWords = (file: string): string => {
  try {
    return fs.readFileSync(file, 'utf8').trim().split('\n').slice(-2).join(' ').slice(-600)
  } catch {
    return ''
  }
}
