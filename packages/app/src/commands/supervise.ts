import { setTimeout as delay } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import { type Config, clearWays, loadConfig, makeLog, saidOfClearWays, setupCode, urlOf } from '@fairway/platform'
import { apiClient } from '../api-client.ts'
import { buildConsole } from '../build/build-console.ts'
import { buildPlayer } from '../build/build-player.ts'
import { type RoleName, isRoleName } from '../roles/role.ts'
import { ROLES } from '../roles/roles.ts'
import { readDemo } from '../seed/demo-file.ts'
import { runSeed } from '../seed/run-seed.ts'
import { socketsIn } from '../supervisor/inherited-sockets.ts'
import { keepBackups } from '../supervisor/keep-backups.ts'
import { keepLog } from '../supervisor/keep-log.ts'
import { keepReserve } from '../supervisor/keep-reserve.ts'
import { EXCHANGE_OVER, MAKE_ROOM } from '../supervisor/keep.ts'
import { type Supervisor, startSupervisor } from '../supervisor/supervisor.ts'
import { foundAddresses } from './found-addresses.ts'
import { saidOfTls } from './console-tls.ts'

/** How long an exchange waits for what is there to run, and to be well. */
const READY_MS = 60_000
/** What is still being written gets there by then. */
const LINGER_MS = 2000
const say = (line: string) => void process.stderr.write(`fairway: ${line}\n`)

/**
 * Started by the keeper: `<up|demo> <roles> [--exchange] [--stop] [--sockets <table>]`. Takes over what runs, starts
 * the rest, and stops everything when it is told to.
 */
export async function supervise([command = 'up', names = '', ...words]: string[]): Promise<number> {
  // A terminal that was closed must not end it: it is told to stop by the keeper.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
  const [config, roles] = [loadConfig(), names.split(',').filter(isRoleName)]
  const leave = (): never => process.exit(MAKE_ROOM)
  process.once('SIGUSR2', leave)
  const supervisor = await startSupervisor({ config, roles, sockets: socketsIn(words), leave, say })
  const asked = askedToStop(supervisor, words.includes('--stop'))
  const ending = new AbortController()
  const log = makeLog('supervisor', config)
  const reserve = keepReserve({ config, log })
  // Where the worker is, so that several machines take one.
  const backups = roles.includes('worker') ? keepBackups({ config, log }) : null
  const follower = roles.includes('database') ? keepLog({ config, log }) : null
  try {
    const started = startAll(supervisor, config, roles, command === 'demo', words, ending.signal).then(() =>
      command === 'demo' ? addSandbox(config, ending.signal) : undefined,
    )
    await Promise.race([started, asked])
    await asked
    return 0
  } finally {
    ending.abort()
    await follower?.[Symbol.asyncDispose]()
    await backups?.[Symbol.asyncDispose]()
    await reserve[Symbol.asyncDispose]()
    await supervisor.stop()
    // The keeper's channel would keep it here.
    if (process.connected) process.disconnect?.()
    // So would a call to an API that was ended meanwhile: its address is still listened to.
    setTimeout(() => process.exit(), LINGER_MS).unref()
  }
}

async function startAll(
  supervisor: Supervisor,
  config: Config,
  names: readonly RoleName[],
  isDemo: boolean,
  words: string[],
  ending: AbortSignal,
): Promise<void> {
  say(`starting in ${config.home}`)
  // Names are looked up, which may take a while and nothing waits for.
  void clearWays(config).then((ways) => ways.length > 0 && say(saidOfClearWays(ways)))
  for (const { said } of foundAddresses(config, names)) say(said)
  // What the API stands on gets ready beside the making of the console that it serves. One that runs has its console:
  // after the death of a supervisor nothing waits for that.
  const first = names.filter((name) => ROLES[name].after.length === 0 && name !== 'api' && name !== 'media')
  const needsConsole = names.includes('api') && (words.includes('--exchange') || !supervisor.found('api'))
  const needsPlayer = names.includes('media') && (words.includes('--exchange') || !supervisor.found('media'))
  const isExchange = words.includes('--exchange')
  // What does not come, or is ill, may be what the exchange is to mend.
  const soon = async (done: Promise<unknown>): Promise<void> => {
    await (isExchange ? Promise.race([done, delay(READY_MS, undefined, { ref: false })]) : done)
  }
  // What runs is watched before long, whatever becomes of the rest; what fails of it is met below. An exchange, which
  // may have to start it anew and with a new console, has bounds of its own.
  const atOnce = isExchange ? first : names.filter((name) => first.includes(name) || supervisor.found(name))
  void Promise.allSettled(atOnce.map((name) => supervisor.start(name)))
  await Promise.all([
    needsConsole ? buildConsole(say) : null,
    needsPlayer ? buildPlayer(say) : null,
    soon(Promise.all(first.map((name) => supervisor.start(name)))),
  ])
  // Visitors come when there is something to visit.
  const early = names.filter((name) => name !== 'visitors' || supervisor.found(name))
  const running = Promise.all(early.map((name) => supervisor.start(name)))
  const visited = async () => {
    const seeded = Promise.all([supervisor.start('worker'), supervisor.start('store')]).then(() => runSeed(config))
    await Promise.all([running, seeded])
    await supervisor.start('visitors')
  }
  const ready = (isDemo ? visited() : running).then(() =>
    supervisor.allReady((reasons) => say(`still waiting for ${reasons.join(', ')}`)),
  )
  await soon(ready)
  if (ending.aborted) return
  if (isExchange) {
    await supervisor.exchangeAdopted()
    // A keeper that has just died is told nothing, and this one goes on without it.
    process.send?.(EXCHANGE_OVER, () => {})
  }
  await announce(config, names, isDemo)
}

/** Nobody who waits for the demo waits for the organisation that visitors without an account may look at. */
async function addSandbox(config: Config, signal: AbortSignal): Promise<void> {
  await runSeed(config, ['sandbox'], signal).catch((error: unknown) => {
    if (!signal.aborted) say(`the sandbox is not there yet: ${error instanceof Error ? error.message : String(error)}`)
  })
}

async function announce(config: Config, names: readonly RoleName[], isDemo: boolean): Promise<void> {
  if (!names.includes('api')) return void process.stdout.write(`ready ${names.join(',')}\n`)
  const url = urlOf(config.listen)
  const shown = config.tlsListen ? config.publicUrl : url
  const world = isDemo ? readDemo(config) : null
  const way = world ? `Sign in as ${world.email} with the password ${world.password}` : await wayIn(config, url, shown)
  const tls = config.tlsListen ? await saidOfTls(config).catch(() => null) : null
  const beside = tls === null ? '' : `${tls} This machine reaches the console at ${url}/ meanwhile.\n`
  process.stdout.write(`ready ${shown}/\n${way}\n${beside}`)
}

async function wayIn(config: Config, url: string, shown: string): Promise<string> {
  const first = await apiClient(url)(FEATURES.auth.routes.firstRun, {}).catch(() => null)
  if (!first?.needed) return 'Open it in a browser to sign in.'
  if (!first.code) return 'Open it in a browser: the first visitor makes the operator account.'
  const code = setupCode(config).match(/.{4}/g)?.join('-') ?? ''
  return `It is empty. Make the operator account at ${shown}/setup#${code} (set-up code ${code}).`
}

/** Settles when the keeper says so; the second time ends everything at once. */
function askedToStop(supervisor: Supervisor, already: boolean): Promise<void> {
  return new Promise((resolve) => {
    let asked = 0
    const heard = () => {
      if (++asked > 1) return void supervisor.kill().finally(() => process.exit(1))
      say('stopping (Ctrl-C again ends everything at once)')
      resolve()
    }
    // The rest of what a terminal says is the keeper's business.
    for (const signal of ['SIGINT', 'SIGHUP'] as const) process.on(signal, () => {})
    process.on('SIGTERM', heard)
    if (already) heard()
  })
}
