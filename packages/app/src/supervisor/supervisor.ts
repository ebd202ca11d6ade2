import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { VERSION } from '@fairway/contract'
import {
  type Config,
  type HeldSockets,
  type Reasons,
  controlRequest,
  controlText,
  identityOf,
  makeLog,
  runDir,
  startControl,
} from '@fairway/platform'
import { ROLES } from '../roles/roles.ts'
import { ROLE_NAMES, type RoleName } from '../roles/role.ts'
import { settingsOfRole } from '../simulator/visitors-address.ts'
import { trimLogFiles } from './log-files.ts'
import type { Heard } from './machine-metrics.ts'
import { startMetricsListener } from './metrics-listener.ts'
import { heldFor } from './ports.ts'
import { RoleProcess } from './role-process.ts'
import { type RoleStatuses, saidOfExchange } from './role-status.ts'
import { readRoles, removeRoles, writeRoles } from './roles-file.ts'
import { WaitingRoom } from './waiting-room.ts'

export type SupervisorOptions = {
  config: Config
  roles: readonly RoleName[]
  /** Of all addresses, handed down by the keeper. */
  sockets: HeldSockets
  /** Makes room for a supervisor of the code that is there now. */
  leave: () => void
  say: (line: string) => void
  /** Longest wait for one role, until it runs and until it is ready. */
  exchangeMs?: number
}

/** `failed`: a role does not run with the code and settings of now; those not exchanged by then stay as they were. */
export type Exchange = 'none' | 'running' | 'done' | 'failed'

/** Takes over the roles that run in this home, and is ready to start the others, each in a process of its own. */
export async function startSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  trimLogFiles(options.config.home)
  const supervisor = new Supervisor(options)
  await supervisor.open()
  return supervisor
}

const EXCHANGE_MS = 60_000

export class Supervisor {
  #options: SupervisorOptions
  #config: Config
  #roles: readonly RoleProcess[]
  #begun = new Set<RoleName>()
  /** Of each role, begun or not. */
  #come: ReadonlyMap<RoleName, PromiseWithResolvers<void>>
  #control: AsyncDisposable | null = null
  #metrics: AsyncDisposable | null = null
  #trimming: NodeJS.Timeout
  #exchange: Exchange = 'none'
  #exchangeMs: number
  /** Ran when this supervisor came. */
  #found: ReadonlySet<RoleName>
  /** Do not come, or come after one that does not: what ran of them before is left as it was. */
  #behind = new Set<RoleName>()
  #isGuarded = process.connected
  #isEnding = false

  constructor(options: SupervisorOptions) {
    const { config, roles, sockets, say, exchangeMs = EXCHANGE_MS } = options
    this.#options = options
    this.#config = config
    this.#exchangeMs = exchangeMs
    const former = readRoles(config.home)?.roles ?? {}
    this.#roles = ROLE_NAMES.filter((name) => roles.includes(name)).map((name) => {
      const room = name === 'dns' ? new WaitingRoom(config) : null
      const role = new RoleProcess({
        name,
        config: settingsOfRole(config, name, roles),
        former: former[name],
        sockets: () => (room ? room.sockets() : heldFor(config, name, sockets)),
        changed: () => {
          this.#save()
          room?.changed(role.status())
        },
        say,
      })
      return role
    })
    this.#come = new Map(this.#roles.map((role) => [role.name, Promise.withResolvers<void>()]))
    this.#found = new Set(this.#roles.filter((role) => role.isFound()).map((role) => role.name))
    this.#trimming = setInterval(() => trimLogFiles(config.home), 60_000).unref()
    process.once('disconnect', () => (this.#isGuarded = false))
    this.#save()
  }

  /** Opens the control socket: `/readyz` over all roles, `GET /roles` for their states, `POST /exchange`. */
  async open(): Promise<void> {
    this.#control = await startControl({
      config: this.#config,
      role: 'supervisor',
      log: makeLog('supervisor', this.#config),
      routes: {
        'GET /roles': () => ({ pid: process.pid, version: VERSION, exchange: this.#exchange, roles: this.status() }),
        'POST /exchange': () => void setImmediate(this.#options.leave),
      },
      ready: async () => {
        const reasons = await notReady(this.#config, this.#roles)
        return {
          ready: reasons.length === 0,
          reasons,
          facts: { roles: this.status(), guarded: this.#isGuarded, exchange: this.#exchange },
        }
      },
    })
    this.#metrics = startMetricsListener({
      config: this.#config,
      hear: () => this.#hear(),
      figuresOf: (role) => controlText(socketOf(this.#config, role), 'GET', '/metrics'),
      say: this.#options.say,
    })
  }

  async #hear(): Promise<Heard> {
    const answers = await hear(this.#config, this.#roles)
    return {
      statuses: this.status(),
      said: Object.fromEntries(
        answers.map(({ role, said, silence }) => [role, { answers: said !== null, ...(said ?? noAnswer(silence)) }]),
      ),
    }
  }

  status(): RoleStatuses {
    return Object.fromEntries(this.#roles.map((role) => [role.name, role.status()]))
  }

  /** Whether the supervisor before has left a process of that role. */
  found(name: RoleName): boolean {
    return this.#found.has(name)
  }

  /**
   * Starts one role as soon as those it comes after run, and resolves when it runs; a second call waits for the first.
   */
  async start(name: RoleName): Promise<void> {
    const role = this.#roles.find((candidate) => candidate.name === name)
    const come = this.#come.get(name)
    if (!role || !come) return
    if (!this.#begun.has(name)) {
      this.#begun.add(name)
      come.resolve(this.#begin(role))
    }
    await come.promise
  }

  /**
   * One that was found is watched before long, whatever becomes of those it comes after. These may be begun later: an
   * API that was between two deaths waits for its console.
   */
  async #begin(role: RoleProcess): Promise<void> {
    const { after } = ROLES[role.name]
    const come = Promise.all(after.map((before) => this.#come.get(before)?.promise)).then(() => true)
    const hasCome = await (this.#found.has(role.name) ? this.#within(come) : come)
    if (!hasCome || after.some((before) => this.#behind.has(before))) this.#behind.add(role.name)
    await role.start({ asItIs: this.#behind.has(role.name) })
  }

  /** False when it takes longer than one waits. */
  #within(come: Promise<unknown>): Promise<boolean> {
    return Promise.race([come.then(() => true), delay(this.#exchangeMs, false, { ref: false })])
  }

  /**
   * Resolves when every role says that it is ready, or when nobody waits for that any more; `waiting` hears now and
   * then who is not, and why.
   */
  async allReady(waiting: (reasons: string[]) => void, mostMs = Infinity): Promise<void> {
    const end = performance.now() + mostMs
    for (let round = 1; !this.#isEnding && performance.now() < end; round++) {
      const reasons = await notReady(this.#config, this.#roles)
      if (reasons.length === 0) return
      if (round % 150 === 0) waiting(reasons)
      await delay(100)
    }
  }

  /**
   * Puts processes of the code that is there now in the place of those that were taken over, one after the other. When
   * one does not come the others serve on as they are: what keeps it may keep them too. So it is with one that was
   * between two deaths. Says what became of it.
   */
  async exchangeAdopted(): Promise<void> {
    this.#exchange = 'running'
    for (const role of this.#roles.filter(({ name }) => !this.#behind.has(name))) {
      const isOld = role.status().adopted
      if (isOld) await this.#within(role.exchange())
      let runs = await this.#runs(role)
      if (runs && isOld) {
        await this.allReady(() => {}, this.#exchangeMs)
        // What it met may have ended it.
        runs = await this.#runs(role)
      }
      if (!runs) this.#exchange = 'failed'
      if (!runs || this.#isEnding) break
    }
    if (this.#exchange === 'running') {
      const all = await Promise.all(this.#roles.map((role) => this.#runs(role)))
      this.#exchange = this.#behind.size > 0 || all.includes(false) ? 'failed' : 'done'
    }
    for (const line of saidOfExchange(this.status())) this.#options.say(line)
  }

  /** Also one that has just died by itself is given the time to come. */
  async #runs(role: RoleProcess): Promise<boolean> {
    const end = performance.now() + this.#exchangeMs
    while (role.status().state !== 'running' && performance.now() < end && !this.#isEnding) await delay(100)
    return role.status().state === 'running'
  }

  /** Stops everything, last started first. */
  async stop(): Promise<void> {
    this.#isEnding = true
    for (const wave of waves(this.#roles).toReversed()) await Promise.all(wave.map((role) => role.stop()))
    await this.#control?.[Symbol.asyncDispose]()
    await this.#metrics?.[Symbol.asyncDispose]()
    this.#end()
  }

  /** Ends everything at once. */
  async kill(): Promise<void> {
    this.#isEnding = true
    await Promise.all(this.#roles.map((role) => role.kill()))
    this.#end()
  }

  #end(): void {
    clearInterval(this.#trimming)
    removeRoles(this.#config.home)
  }

  #save(): void {
    writeRoles(this.#config.home, { ...identityOf(process.pid), roles: this.status() })
  }
}

/** Roles that may start together, each wave after the one before it. */
function waves(roles: readonly RoleProcess[]): RoleProcess[][] {
  const depth = (name: RoleName): number => 1 + Math.max(0, ...ROLES[name].after.map(depth))
  const byDepth = Map.groupBy(roles, (role) => depth(role.name))
  return [...byDepth].sort(([a], [b]) => a - b).map(([, wave]) => wave)
}

const noAnswer = (silence: string): Reasons => ({ ready: false, reasons: [silence] })

type RoleAnswer = { role: RoleName; state: string; said: Reasons | null; silence: string }

/** What each role says of itself; one that does not run is not asked. */
function hear(config: Config, roles: readonly RoleProcess[]): Promise<RoleAnswer[]> {
  return Promise.all(
    roles.map(async (process): Promise<RoleAnswer> => {
      const [role, { state }] = [process.name, process.status()]
      if (state !== 'running') return { role, state, said: null, silence: state }
      try {
        // Our own code answers there.
        const said = (await controlRequest(socketOf(config, role), 'GET', '/readyz')) as Reasons
        return { role, state, said, silence: '' }
      } catch (error) {
        return { role, state, said: null, silence: error instanceof Error ? error.message : String(error) }
      }
    }),
  )
}

const socketOf = (config: Config, role: RoleName): string => `unix:${path.join(runDir(config), `${role}.sock`)}`

async function notReady(config: Config, roles: readonly RoleProcess[]): Promise<string[]> {
  return (await hear(config, roles)).flatMap(({ role, said, silence }) => {
    if (said === null) return [`${role}: ${silence}`]
    return said.ready ? [] : [`${role}: ${said.reasons.join('; ') || 'not ready'}`]
  })
}
