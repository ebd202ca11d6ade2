import { spawn } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Finding } from '@fairway/domain'
import { type Config, type Log, Problem, identityOf, livesStill, systemEnvironment } from '@fairway/platform'
import { endGenerations, generations, type Generation, runningOf } from '../nginx/generations.ts'
import { type NginxProgram, testConfiguration } from '../nginx/program.ts'
import { ask, type WrittenRequest } from './ask.ts'
import { inspectorConfiguration, socketOf } from './inspector-configuration.ts'
import { loadRuleSet, type LoadedRuleSet } from './rule-set.ts'

export type InspectorState = {
  state: 'waiting' | 'running' | 'failed'
  /** Name of the rule set in force; empty before there is one. */ ruleSet: string
  /** Why it does not run, or why newer files were not taken. */ problem: string
}

/** A process of its own that holds requests against the rule set: what befalls it befalls no visitor. */
export type Inspector = AsyncDisposable & {
  /** Called when the first domain needs it. */ want(): void
  state(): InspectorState
  /** What nginx is told to find it by: sockets and version, on two lines; empty while it cannot be asked. */ address(): string
  /** Holds a request that is written down against the rule set. @throws Problem when it cannot be asked */
  inspect(scope: 'full' | 'sets', level: number, request: WrittenRequest): Promise<Finding[]>
}
type Options = {
  config: Pick<Config, 'ruleSetDir'>
  program: NginxProgram
  /** Folder of its own. */ prefix: string
  /** Beginning of sockets' names, short: an address holds 107 bytes. */ sockets: string
  user: string | null
  workers: number
  log: Log
  /** Told to nginx, in turn with other news. */ changed(address: string): Promise<void>
  /** How many requests it has answered nginx so far. */ answered(): Promise<number>
}

const LOOK_MS = 1_000
/** How long it is looked whether others are answered, when a look of ours is not. */
const OTHERS_MS = 500
const FILES_MS = 15_000
const START_MS = 15_000
const LONGEST_PAUSE_MS = 10_000
const END: readonly (readonly [NodeJS.Signals, number])[] = [
  ['SIGQUIT', 500],
  ['SIGTERM', 300],
  ['SIGKILL', 300],
]

/**
 * Starts nothing until it is wanted; from then on keeps it running, tells nginx where it is, and takes new files of the
 * rule set as they come. One that was left by an agent before is taken over.
 */
export function startInspector(options: Options): Inspector {
  const { prefix, log } = options
  for (const folder of ['rules', 'temp', 'conf']) fs.mkdirSync(path.join(prefix, folder), { recursive: true })
  fs.chmodSync(prefix, 0o711)
  const known = generations(prefix)
  let run: Run | null = null
  let problem = ''
  let isWanted = false
  const stopping = new AbortController()
  let wake: () => void = () => {}
  let told = ''
  const tell = async (address: string) => {
    if (told === address) return
    told = address
    await options.changed(address).catch((error: unknown) => {
      told = ''
      log.error({ event: 'inspection.not-told', err: error })
    })
  }
  const pause = async (ms: number) => {
    const off = new AbortController()
    wake = () => off.abort()
    await sleep(ms, undefined, { signal: off.signal, ref: false }).catch(() => {})
  }
  const loop = (async () => {
    let waitMs = 250
    let filesAt = 0
    while (!stopping.signal.aborted) {
      if (!isWanted) {
        await pause(60_000)
        continue
      }
      try {
        if (run !== null && !(await answers(run.sockets)) && !(await answersOthers(run.generation, options))) {
          log.error({ event: 'inspection.ended', inspectorPid: run.generation.pid })
          run = null
          // Nobody waits for what does not answer.
          await tell('')
        }
        if (run === null || performance.now() - filesAt > FILES_MS) {
          filesAt = performance.now()
          const { loaded, problem: why } = await loadRuleSet(options.config, prefix, (file) => tryRules(options, file))
          if (why !== '' && why !== problem) log.error({ event: 'inspection.rule-set.refused', problem: why })
          problem = why
          if (loaded === null) throw new Problem(why)
          if (run === null || run.ruleSet.id !== loaded.id) {
            const before = known.all()
            run = (await adopt(options, known.all().at(-1), loaded)) ?? (await startOne(options, known, loaded))
            log.info({ event: 'inspection.started', inspectorPid: run.generation.pid, ruleSet: loaded.name })
            await tell(`${run.sockets}\n${run.ruleSet.id}`)
            for (const one of before) if (one.number !== run.generation.number) void endOne(options, known, one)
          }
        }
        if (told === '') await tell(`${run.sockets}\n${run.ruleSet.id}`)
        waitMs = 250
        await pause(LOOK_MS)
      } catch (error) {
        problem = error instanceof Error ? error.message : String(error)
        log.error({ event: 'inspection.failed', err: error })
        await pause(waitMs)
        waitMs = Math.min(LONGEST_PAUSE_MS, waitMs * 2)
      }
    }
  })()
  return {
    want() {
      if (isWanted) return
      isWanted = true
      wake()
    },
    state: () => ({
      state: !isWanted ? 'waiting' : run === null ? 'failed' : 'running',
      ruleSet: run?.ruleSet.name ?? '',
      problem,
    }),
    address: () => (run === null ? '' : `${run.sockets}\n${run.ruleSet.id}`),
    async inspect(scope, level, request) {
      if (run === null) throw new Problem(problem === '' ? 'the inspection does not run' : problem)
      return ask(socketOf(run.sockets, scope, level), request)
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      wake()
      await loop
      await endGenerations(known.all(), prefix, END)
      for (const { number } of known.all()) known.remove(number)
    },
  }
}

type Run = { generation: Generation; sockets: string; ruleSet: LoadedRuleSet }
const socketsOf = ({ sockets }: Options, number: number): string => `${sockets}${number}`
const fileOf = ({ prefix }: Options, number: number): string => path.join(prefix, 'conf', `inspect.${number}.conf`)

function write(options: Options, number: number, rulesFile: string): string {
  const file = fileOf(options, number)
  const { prefix, user, workers, program } = options
  fs.writeFileSync(
    file,
    inspectorConfiguration({
      modulesDir: program.modulesDir,
      user,
      workers,
      prefix,
      pidFile: path.join(prefix, `inspect.${number}.pid`),
      rulesFile,
      sockets: socketsOf(options, number),
    }),
  )
  return file
}

/** @throws Problem with the place that nginx does not take */
async function tryRules(options: Options, rulesFile: string): Promise<void> {
  if (!fs.existsSync(path.join(options.program.modulesDir, 'ngx_http_modsecurity_module.so')))
    throw new Problem(
      'nginx has no ModSecurity module. Run: apt-get install --no-install-recommends libnginx-mod-http-modsecurity modsecurity-crs',
    )
  await testConfiguration(options.program, write(options, 0, rulesFile), options.prefix)
}

/** One that an agent before has left, if it has these rules and answers. */
async function adopt(options: Options, former: Generation | undefined, ruleSet: LoadedRuleSet): Promise<Run | null> {
  if (former === undefined || former.configuration !== ruleSet.id) return null
  if (!runningOf(former, options.prefix).master) return null
  const run = { generation: former, sockets: socketsOf(options, former.number), ruleSet }
  return (await answers(run.sockets)) ? run : null
}

async function startOne(options: Options, known: ReturnType<typeof generations>, ruleSet: LoadedRuleSet): Promise<Run> {
  const number = (known.all().at(-1)?.number ?? 0) + 1
  const sockets = socketsOf(options, number)
  removeSockets(sockets)
  const file = write(options, number, ruleSet.rulesFile)
  const errors = fs.openSync(path.join(options.prefix, 'error.log'), 'w+', 0o600)
  const child = spawn(options.program.binary, ['-p', options.prefix, '-c', file], {
    detached: true,
    stdio: ['ignore', 'ignore', errors],
    env: systemEnvironment(),
  })
  child.once('error', () => {})
  child.unref()
  const generation = { ...identityOf(child.pid ?? 0), number, configuration: ruleSet.id }
  known.add(generation)
  try {
    for (const since = performance.now(); !(await answers(sockets)); await sleep(20)) {
      if (!livesStill(generation)) throw new Problem(`The inspection ended at its start: ${wordsOf(errors)}`)
      if (performance.now() - since > START_MS) throw new Problem('The inspection does not answer after its start.')
    }
  } catch (error) {
    await endOne(options, known, generation)
    throw error
  } finally {
    fs.closeSync(errors)
  }
  return { generation, sockets, ruleSet }
}

async function endOne(options: Options, known: ReturnType<typeof generations>, one: Generation): Promise<void> {
  await endGenerations([one], options.prefix, END)
  known.remove(one.number)
  removeSockets(socketsOf(options, one.number))
  fs.rmSync(fileOf(options, one.number), { force: true })
}

function removeSockets(sockets: string): void {
  for (const name of fs.readdirSync(path.dirname(sockets)))
    if (name.startsWith(`${path.basename(sockets)}.`))
      fs.rmSync(path.join(path.dirname(sockets), name), { force: true })
}

const wordsOf = (file: number): string => {
  const bytes = Buffer.alloc(2000)
  return bytes.toString('utf8', 0, fs.readSync(file, bytes, 0, bytes.length, 0)).trim()
}

const PROBE: WrittenRequest = {
  method: 'GET',
  target: '/',
  headers: [
    { name: 'Host', value: 'inspection.invalid' },
    { name: 'User-Agent', value: 'fairway' },
    { name: 'Accept', value: '*/*' },
  ],
  body: Buffer.alloc(0),
}
/** One that is busy with others is not dead: without it everybody's requests would pass uninspected. */
async function answersOthers(generation: Generation, { answered }: Options): Promise<boolean> {
  if (!livesStill(generation)) return false
  const before = await answered().catch(() => Infinity)
  await sleep(OTHERS_MS)
  return livesStill(generation) && (await answered().catch(() => 0)) > before
}

const answers = (sockets: string): Promise<boolean> =>
  ask(socketOf(sockets, 'sets', 1), PROBE).then(
    () => true,
    () => false,
  )
