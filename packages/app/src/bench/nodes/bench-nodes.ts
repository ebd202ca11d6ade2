import { type ChildProcess, fork } from 'node:child_process'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import { configEnvironment } from '@fairway/platform'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { quantile, table } from '../figures.ts'
import { registerOperator } from '../operator.ts'
import { cpuSeconds, memoryBytes } from '../process-cpu.ts'
import type { NodesToBe, NodesWord } from './many-nodes.ts'

const CHANGES = 20
const IDLE_SECONDS = 20
/** Nodes to a process: what reads for a thousand must not be what is slow. */
const NODES_OF_A_PROCESS = 500
const MIB = 2 ** 20

/**
 * So many name servers follow one API by the real protocol: what they cost while nothing happens, and how long a change
 * takes until each of them has it and until the API knows that.
 */
export async function benchNodes(say: (line: string) => void, nodes = 1_000): Promise<void> {
  // All of them come from one address here, which is given a few hundred connections elsewhere.
  await using installation = await startInstallation({
    command: 'up',
    settings: { FAIRWAY_TRUSTED_PROXIES: '127.0.0.1' },
  })
  await registerOperator(installation)
  const { data } = await installation.api(FEATURES.sites.routes.create, { domainName: 'bench-nodes.example' })
  const pidOf = (role: 'api' | 'database' | 'worker') => installation.roles()[role]?.pid ?? 0
  const before = memoryBytes(pidOf('api'))
  const started = performance.now()
  using fleet = await startFleet(installation, nodes)
  say(`${nodes} nodes have joined after ${((performance.now() - started) / 1000).toFixed(1)} s`)
  const idle = ['api', 'database', 'worker'] as const
  const cpu = idle.map((role) => cpuSeconds(pidOf(role)))
  await sleep(IDLE_SECONDS * 1000)
  const spent = idle.map((role, at) => (cpuSeconds(pidOf(role)) - (cpu[at] ?? 0)) / IDLE_SECONDS)
  say(
    `with nothing to say: ${idle.map((role, at) => `${role} ${(100 * (spent[at] ?? 0)).toFixed(0)} %`).join(', ')} of a core`,
  )
  const measured: { hadMs: number; knownMs: number }[] = []
  for (let i = 0; i < CHANGES; i++) measured.push(await timeChange(installation, fleet, data.id, i))
  const row = (name: string, values: number[]) => [
    name,
    ...[0.5, 0.95, 0.99, 1].map((share) => quantile(values, share).toFixed(0)),
  ]
  say(
    table([
      [`${CHANGES} changes, ms`, 'p50', 'p95', 'p99', 'max'],
      row(
        'all nodes have it',
        measured.map((one) => one.hadMs),
      ),
      row(
        'the API knows it of all',
        measured.map((one) => one.knownMs),
      ),
    ]),
  )
  say(
    `memory of the API (PSS): ${(before / MIB).toFixed(0)} MB before, ${(memoryBytes(pidOf('api')) / MIB).toFixed(0)} MB after`,
  )
}

async function timeChange(installation: Installation, fleet: Fleet, site: string, at: number) {
  const started = Date.now()
  const { meta } = await installation.api(FEATURES.dnsRecords.routes.create, {
    site,
    type: 'TXT',
    name: `bench${at}`,
    value: `change ${at}`,
  })
  const version = meta.version ?? 0
  const had = await fleet.taken(site, version)
  const number = String(version)
  while ((await installation.api(FEATURES.versions.routes.get, { site, number })).state !== 'live') await sleep(20)
  return { hadMs: had - started, knownMs: Date.now() - started }
}

export type Fleet = Disposable & {
  /** When the last node took that version of the zone, in ms since 1970. */
  taken(key: string, version: number): Promise<number>
}

/** So many name servers more, in processes of their own, once all of them follow. */
export async function startFleet(installation: Installation, nodes: number): Promise<Fleet> {
  const parts: ChildProcess[] = []
  const connected = new Map<ChildProcess, number>()
  const takenAt = new Map<string, number[]>()
  const environment = { ...configEnvironment(installation.config), FAIRWAY_LOG_LEVEL: 'error' }
  for (let left = nodes; left > 0; left -= NODES_OF_A_PROCESS) {
    const part = fork(path.join(import.meta.dirname, 'many-nodes.ts'), {
      execArgv: ['--disable-warning=ExperimentalWarning'],
    })
    part.on('message', (word: NodesWord) => {
      if ('connected' in word) connected.set(part, word.connected)
      else {
        const id = `${word.key} ${word.version}`
        takenAt.set(id, [...(takenAt.get(id) ?? []), word.at])
      }
    })
    part.send({ environment, first: nodes - left, nodes: Math.min(left, NODES_OF_A_PROCESS) } satisfies NodesToBe)
    parts.push(part)
  }
  while ([...connected.values()].reduce((sum, count) => sum + count, 0) < nodes) await sleep(50)
  return {
    async taken(key, version) {
      for (;;) {
        const times = takenAt.get(`${key} ${version}`) ?? []
        if (times.length === parts.length) return Math.max(...times)
        await sleep(5)
      }
    },
    [Symbol.dispose]: () => void parts.map((part) => part.kill('SIGKILL')),
  }
}
