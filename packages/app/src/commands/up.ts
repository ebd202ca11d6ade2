import { type Config, loadConfig, urlOf } from '@fairway/platform'
import { buildConsole } from '../build/build-console.ts'
import { ROLES, ROLE_NAMES, type RoleName, isRoleName } from '../roles/roles.ts'
import { readDemo } from '../seed/demo-file.ts'
import { runSeed } from '../seed/run-seed.ts'
import { type Supervisor, startSupervisor } from '../supervisor/supervisor.ts'
import { joinInstallation } from './join.ts'
import { UsageError, parseWords } from './options.ts'

const PRODUCT: readonly RoleName[] = ['database', 'store', 'api', 'worker', 'collector', 'dns', 'edge']
const say = (line: string) => void process.stderr.write(`fairway: ${line}\n`)

/** `up [--roles a,b] [--join <address>]`: the product, empty, or some roles of another installation. */
export async function up(words: string[]): Promise<number> {
  const { values, positionals } = parseWords(words, { roles: { type: 'string' }, join: { type: 'string' } })
  if (positionals.length)
    throw new UsageError(
      `up takes no further words, but found "${positionals.join(' ')}". To start some roles only: up --roles api,worker`,
    )
  const asked =
    values.roles === undefined ? (values.join === undefined ? PRODUCT : (['dns'] as const)) : rolesOf(values.roles)
  const config = values.join === undefined ? loadConfig() : await joinInstallation(values.join, asked)
  return run(config, withNeeds(asked, config), false)
}

/** `demo`: the product with a demo world, made on the first start. */
export async function demo(words: string[]): Promise<number> {
  const { positionals } = parseWords(words, {})
  if (positionals.length) throw new UsageError(`demo takes no further words, but found "${positionals.join(' ')}".`)
  const config = loadConfig()
  return run(config, withNeeds(ROLE_NAMES, config), true)
}

async function run(config: Config, names: readonly RoleName[], isDemo: boolean): Promise<number> {
  const supervisor = await startSupervisor(config, names, say)
  const asked = askedToStop(supervisor)
  try {
    await Promise.race([startAll(supervisor, config, names, isDemo), asked])
    await asked
    return 0
  } finally {
    await supervisor.stop()
  }
}

async function startAll(
  supervisor: Supervisor,
  config: Config,
  names: readonly RoleName[],
  isDemo: boolean,
): Promise<void> {
  if (names.includes('api')) await buildConsole(say)
  say(`starting in ${config.home}`)
  const early = names.filter((name) => name !== 'visitors')
  const running = Promise.all(early.map((name) => supervisor.start(name)))
  if (isDemo) {
    await Promise.all([
      running,
      Promise.all([supervisor.start('worker'), supervisor.start('store')]).then(() => runSeed(config)),
    ])
    await supervisor.start('visitors')
  }
  await running
  await supervisor.allReady((reasons) => say(`still waiting for ${reasons.join(', ')}`))
  announce(config, names, isDemo)
}

function announce(config: Config, names: readonly RoleName[], isDemo: boolean): void {
  if (!names.includes('api')) return void process.stdout.write(`ready ${names.join(',')}\n`)
  process.stdout.write(`ready ${urlOf(config.listen)}/\n`)
  const world = isDemo ? readDemo(config) : null
  process.stdout.write(
    world
      ? `Sign in as ${world.email} with the password ${world.password}\n`
      : 'Open it in a browser to sign in; the first visitor of an empty installation makes the operator account.\n',
  )
}

/** Settles at the first Ctrl-C or kill; the second ends everything at once. */
function askedToStop(supervisor: Supervisor): Promise<void> {
  return new Promise((resolve) => {
    let asked = 0
    const heard = () => {
      if (++asked > 1) return void supervisor.kill().finally(() => process.exit(1))
      say('stopping (Ctrl-C again ends everything at once)')
      resolve()
    }
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, heard)
  })
}

function rolesOf(text: string): RoleName[] {
  return text.split(',').map((word) => {
    const name = word.trim()
    if (!isRoleName(name)) throw new UsageError(`there is no role "${name}". Roles: ${PRODUCT.join(', ')}.`)
    return name
  })
}

/**
 * Adds the engines that the roles asked for cannot do without. A database reached by URL needs no role; an outside
 * event store does: it keeps the tables up to date.
 */
function withNeeds(names: readonly RoleName[], config: Config): RoleName[] {
  const all = new Set(names.flatMap((name) => [...ROLES[name].needs, name]))
  if (config.databaseUrl) all.delete('database')
  return ROLE_NAMES.filter((name) => all.has(name))
}
