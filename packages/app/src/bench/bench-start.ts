import { setTimeout as sleep } from 'node:timers/promises'
import { type Installation, startInstallation } from '../installation/start-installation.ts'
import { median, table } from './figures.ts'
import { cpuSeconds, memoryBytes } from './process-cpu.ts'

/** After a start, until memory has settled. */
const SETTLE_MS = 30_000
const SAMPLES = 5
const SAMPLE_MS = 2_000

/**
 * From the command to `ready`, the first time and the second; then memory (PSS) and CPU of every role with nothing to
 * do, and with the demo's visitors. The console is built before.
 */
export async function benchStart(say: (line: string) => void): Promise<void> {
  await timeStarts('up', 'empty, nobody asks', say)
  await timeStarts('demo', 'demo world, its visitors about', say)
}

async function timeStarts(command: 'up' | 'demo', doing: string, say: (line: string) => void): Promise<void> {
  const began = performance.now()
  await using installation = await startInstallation({ command, fromNothing: true, readyMs: 600_000 })
  say(`${command}: ready ${secondsSince(began)} s after the command, the first time`)
  await installation.stop()
  const again = performance.now()
  await installation.start()
  say(`${command}: ready ${secondsSince(again)} s after the command, the second time`)
  await sleep(SETTLE_MS)
  say(`\n${doing}\n${table(await measure(installation))}\n`)
}

/** Rows of role, MB and share of a core, with a sum; the row of keeper and supervisor leaves out the roles below them. */
async function measure(installation: Installation): Promise<string[][]> {
  const processes = Object.entries(installation.roles()).flatMap(([name, { pid }]) =>
    pid === null ? [] : [{ name, pid }],
  )
  const keeper = installation.process.pid ?? 0
  const readings: { memory: number[]; cpu: number[] }[] = []
  for (let at = 0; at < SAMPLES; at++) {
    const pids = [...processes.map(({ pid }) => pid), keeper]
    const before = pids.map(cpuSeconds)
    await sleep(SAMPLE_MS)
    readings.push({
      memory: withoutRoles(pids.map(memoryBytes)),
      cpu: withoutRoles(pids.map((pid, index) => cpuSeconds(pid) - (before[index] ?? 0))),
    })
  }
  const names = [...processes.map(({ name }) => name), 'keeper and supervisor']
  const rows = names.map((name, index) => ({
    name,
    megabytes: median(readings.map(({ memory }) => memory[index] ?? 0)) / 1e6,
    percent: (median(readings.map(({ cpu }) => cpu[index] ?? 0)) / (SAMPLE_MS / 1000)) * 100,
  }))
  const all = {
    name: 'together',
    megabytes: rows.reduce((sum, row) => sum + row.megabytes, 0),
    percent: rows.reduce((sum, row) => sum + row.percent, 0),
  }
  return [
    ['role', 'MB', '% of a core'],
    ...[...rows, all].map(({ name, megabytes, percent }) => [name, megabytes.toFixed(0), percent.toFixed(1)]),
  ]
}

/** The last figure holds those before it. */
function withoutRoles(figures: number[]): number[] {
  const roles = figures.slice(0, -1)
  return [...roles, (figures.at(-1) ?? 0) - roles.reduce((sum, one) => sum + one, 0)]
}

const secondsSince = (began: number): string => ((performance.now() - began) / 1000).toFixed(1)
