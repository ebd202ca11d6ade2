import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Config, controlRequest, makeLog, runDir, startControl } from '@fairway/platform'
import { ROLES, ROLE_NAMES, type RoleName } from '../roles/roles.ts'
import { settingsOfRole } from '../simulator/visitors-address.ts'
import { takeHome } from './home.ts'
import { trimLogFiles } from './log-files.ts'
import { checkPorts } from './ports.ts'
import { RoleProcess, type RoleStatus } from './role-process.ts'

/**
 * Takes the home, looks at the ports, and is ready to run these roles, each in a process of its own.
 * @throws Problem when the home or a port cannot be had.
 */
export async function startSupervisor(
  config: Config,
  names: readonly RoleName[],
  say: (line: string) => void,
): Promise<Supervisor> {
  const lock = takeHome(config.home)
  try {
    const stateFile = path.join(config.home, 'run', 'roles.json')
    await clearLeftovers(config, fs.existsSync(stateFile), names)
    trimLogFiles(config.home)
    const supervisor = new Supervisor(config, names, say, stateFile, lock)
    await supervisor.open()
    return supervisor
  } catch (error) {
    lock[Symbol.dispose]()
    throw error
  }
}

export class Supervisor {
  #config: Config
  #stateFile: string
  #lock: Disposable
  #roles: readonly RoleProcess[]
  #started = new Map<RoleName, Promise<void>>()
  #control: AsyncDisposable | null = null
  #trimming: NodeJS.Timeout

  constructor(
    config: Config,
    names: readonly RoleName[],
    say: (line: string) => void,
    stateFile: string,
    lock: Disposable,
  ) {
    this.#config = config
    this.#stateFile = stateFile
    this.#lock = lock
    this.#roles = ROLE_NAMES.filter((name) => names.includes(name)).map(
      (name) =>
        new RoleProcess({ name, config: settingsOfRole(config, name, names), changed: () => this.#save(), say }),
    )
    this.#trimming = setInterval(() => trimLogFiles(config.home), 60_000).unref()
  }

  /** Opens the control socket: `/readyz` over all roles, `GET /roles` for their states. */
  async open(): Promise<void> {
    this.#control = await startControl({
      config: this.#config,
      role: 'supervisor',
      log: makeLog('supervisor', this.#config),
      routes: { 'GET /roles': () => this.status() },
      ready: async () => {
        const reasons = await notReady(this.#config, this.#roles)
        return { ready: reasons.length === 0, reasons, facts: { roles: this.status() } }
      },
    })
  }

  status(): Record<string, RoleStatus> {
    return Object.fromEntries(this.#roles.map((role) => [role.name, role.status()]))
  }

  /**
   * Starts one role as soon as those it comes after run, and resolves when it runs; a second call waits for the first.
   */
  async start(name: RoleName): Promise<void> {
    const role = this.#roles.find((candidate) => candidate.name === name)
    if (!role) return
    const begun =
      this.#started.get(name) ??
      Promise.all(ROLES[name].after.map((before) => this.#started.get(before))).then(() => role.start())
    this.#started.set(name, begun)
    await begun
  }

  /** Resolves when every role says that it is ready; `waiting` hears now and then who is not, and why. */
  async allReady(waiting: (reasons: string[]) => void): Promise<void> {
    for (let round = 1; ; round++) {
      const reasons = await notReady(this.#config, this.#roles)
      if (reasons.length === 0) return
      if (round % 150 === 0) waiting(reasons)
      await delay(100)
    }
  }

  /** Stops everything, last started first. */
  async stop(): Promise<void> {
    for (const wave of waves(this.#roles).toReversed()) await Promise.all(wave.map((role) => role.stop()))
    await this.#control?.[Symbol.asyncDispose]()
    this.#leave()
  }

  /** Ends everything at once. */
  async kill(): Promise<void> {
    for (const role of this.#roles) role.kill()
    await endNginx(this.#config)
    this.#leave()
  }

  #leave(): void {
    clearInterval(this.#trimming)
    fs.rmSync(this.#stateFile, { force: true })
    this.#lock[Symbol.dispose]()
  }

  /**
   * `<home>/run/roles.json`: who runs, since when, how often it was started again and why. Readers never see half of
   * it.
   */
  #save(): void {
    try {
      fs.writeFileSync(
        `${this.#stateFile}.new`,
        `${JSON.stringify({ pid: process.pid, roles: this.status() }, null, 2)}\n`,
      )
      fs.renameSync(`${this.#stateFile}.new`, this.#stateFile)
    } catch {
      // A full disk must not take the supervisor with it; the control socket still tells.
    }
  }
}

/** Longer than name servers go on without their role. */
const LEAVING_MS = 15_000

/**
 * After an unclean end the roles of before may still be leaving, and their nginx stays: they get a moment before a
 * taken port is a problem.
 */
async function clearLeftovers(config: Config, unclean: boolean, names: readonly RoleName[]): Promise<void> {
  if (unclean) await endNginx(config)
  const giveUpAt = Date.now() + (unclean ? LEAVING_MS : 0)
  for (;;) {
    try {
      return await checkPorts(config, names)
    } catch (error) {
      if (Date.now() >= giveUpAt) throw error
      await delay(100)
    }
  }
}

async function endNginx(config: Config): Promise<void> {
  const pidFile = path.join(config.home, 'edge', 'nginx.pid')
  if (!fs.existsSync(pidFile)) return
  // Loaded only here: a supervisor that runs well does not need the edge's code in its memory.
  const { endLeftovers } = await import('@fairway/edge')
  await endLeftovers(pidFile, [])
}

/** Roles that may start together, each wave after the one before it. */
function waves(roles: readonly RoleProcess[]): RoleProcess[][] {
  const depth = (name: RoleName): number => 1 + Math.max(0, ...ROLES[name].after.map(depth))
  const byDepth = Map.groupBy(roles, (role) => depth(role.name))
  return [...byDepth].sort(([a], [b]) => a - b).map(([, wave]) => wave)
}

async function notReady(config: Config, roles: readonly RoleProcess[]): Promise<string[]> {
  const reasons = await Promise.all(
    roles.map(async (role) => {
      const { state } = role.status()
      if (state !== 'running') return [`${role.name}: ${state}`]
      try {
        const answer = (await controlRequest(
          `unix:${path.join(runDir(config), `${role.name}.sock`)}`,
          'GET',
          '/readyz',
        )) as { ready: boolean; reasons: string[] }
        return answer.ready ? [] : [`${role.name}: ${answer.reasons.join('; ') || 'not ready'}`]
      } catch (error) {
        return [`${role.name}: ${error instanceof Error ? error.message : String(error)}`]
      }
    }),
  )
  return reasons.flat()
}
