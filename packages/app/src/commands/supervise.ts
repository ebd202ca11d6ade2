import { type Config, loadConfig, urlOf } from '@fairway/platform'
import { buildConsole } from '../build/build-console.ts'
import { type RoleName, isRoleName } from '../roles/roles.ts'
import { readDemo } from '../seed/demo-file.ts'
import { runSeed } from '../seed/run-seed.ts'
import { socketsIn } from '../supervisor/inherited-sockets.ts'
import { MAKE_ROOM } from '../supervisor/keep.ts'
import { type Supervisor, startSupervisor } from '../supervisor/supervisor.ts'

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
  try {
    await Promise.race([startAll(supervisor, config, roles, command === 'demo', words), asked])
    await asked
    return 0
  } finally {
    await supervisor.stop()
    // The keeper's channel would keep it here.
    if (process.connected) process.disconnect?.()
  }
}

async function startAll(
  supervisor: Supervisor,
  config: Config,
  names: readonly RoleName[],
  isDemo: boolean,
  words: string[],
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
  if (words.includes('--exchange')) say(`exchanged ${(await supervisor.exchangeAdopted()).join(', ')}`)
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
