import { setTimeout as delay } from 'node:timers/promises'
import type { Installation } from '../../installation/start-installation.ts'
import { quantile, table } from '../figures.ts'
import { operatorToken } from '../operator.ts'
import { cpuSeconds } from '../process-cpu.ts'
import { type Read, everyRead } from './every-read.ts'

const ROUNDS = 40
const WARM_ROUNDS = 3
/** Calls in a row whose CPU time is counted: the system counts in steps of 10 ms. */
const CPU_CALLS = 20
/** Below what one address may ask for in a minute. */
const PAUSE_MS = 10

/** By the read's name; a file is measured to its last byte, but nobody waits for it with a page open. */
type Measured = Map<
  string,
  {
    ms: number[]
    refused: string | null
    isFile: boolean
    /** Of API, database and store together, of one call. */ cpuMs: number
  }
>

/**
 * Asks every declared read as the operator, with `values` for what paths name and `own` for the sites of the
 * organisation that is looked at.
 */
export async function measureReads(
  installation: Installation,
  values: Record<string, string[]>,
  own: Record<string, string>[],
): Promise<Measured> {
  const token = await operatorToken(installation)
  const every = everyRead(own[0] ?? {})
  const reads = every.filter((read) => unnamedIn(read, { ...pick(values, 0), ...own[0] }) === null)
  const measured: Measured = new Map(
    reads.map(({ name, route }) => [
      name,
      { ms: [], refused: null, isFile: route.media !== undefined, cpuMs: Number.NaN },
    ]),
  )
  const ask = (read: Read, round: number) =>
    fetch(urlOf(installation.url, read, { ...pick(values, round), ...own[round % own.length] }), {
      headers: read.route.permission === 'public' ? {} : { authorization: `Bearer ${token}` },
    })
  // Round by round over all of them, so that what else the machine does falls on all alike.
  for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
    for (const read of reads) {
      const startedAt = performance.now()
      const response = await ask(read, round + WARM_ROUNDS)
      const body = await response.arrayBuffer()
      const ms = performance.now() - startedAt
      const found = measured.get(read.name)
      if (response.status !== 200 && found)
        found.refused = `${response.status} ${Buffer.from(body).toString().slice(0, 160)}`
      if (round >= 0) found?.ms.push(ms)
      await delay(PAUSE_MS)
    }
  }
  for (const read of every.filter((one) => !reads.includes(one)))
    measured.set(read.name, { ms: [], refused: 'nothing of that kind was made', isFile: false, cpuMs: Number.NaN })
  // What else runs here lengthens every call, but not what it costs.
  const pids = ['api', 'database', 'store'].flatMap((role) => installation.roles()[role]?.pid ?? [])
  const cpu = () => pids.reduce((sum, pid) => sum + cpuSeconds(pid), 0)
  for (const read of reads) {
    const before = cpu()
    for (let round = 0; round < CPU_CALLS; round++) {
      await (await ask(read, round)).arrayBuffer()
      await delay(PAUSE_MS)
    }
    const found = measured.get(read.name)
    if (found) found.cpuMs = ((cpu() - before) * 1000) / CPU_CALLS
  }
  return measured
}

const named = (name: string, param: string, values: Record<string, string>): string | undefined =>
  values[`${name.split('.')[0]}.${param}`] ?? values[param]

/** What the path names and nothing here is called; null when there is no such thing. */
const unnamedIn = ({ name, route }: Read, values: Record<string, string>): string | null =>
  [...route.path.matchAll(/\{(\w+)\}/g)].map(([, param = '']) => param).find((param) => !named(name, param, values)) ??
  null

function urlOf(base: string, { name, route, query }: Read, values: Record<string, string>): URL {
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, param: string) =>
    encodeURIComponent(named(name, param, values) ?? ''),
  )
  const url = new URL(path, base)
  for (const [key, value] of Object.entries(query)) url.searchParams.set(key, String(value))
  return url
}

const pick = (values: Record<string, string[]>, round: number): Record<string, string> =>
  Object.fromEntries(
    Object.entries(values).flatMap(([name, all]) => {
      const value = all[round % all.length]
      return value === undefined ? [] : [[name, value]]
    }),
  )

/** A table, slowest first, and how many have a p95 below `limitMs`. */
export function reportReads(measured: Measured, limitMs: number, say: (line: string) => void): void {
  const rows = [...measured]
    .filter(([, { ms }]) => ms.length > 0)
    .map(([name, { ms, refused, isFile, cpuMs }]) => ({
      name,
      refused,
      isFile,
      cpuMs,
      p50: quantile(ms, 0.5),
      p95: quantile(ms, 0.95),
      most: quantile(ms, 1),
    }))
    .sort((a, b) => b.p95 - a.p95)
  const show = (title: string, shown: typeof rows) =>
    say(
      `\n${title}\n${table([['read', 'p50 ms', 'p95 ms', 'max ms', 'CPU ms'], ...shown.map(({ name, p50, p95, most, cpuMs }) => [name, ...[p50, p95, most, cpuMs].map((ms) => ms.toFixed(1))])])}`,
    )
  const [files, calls] = [rows.filter(({ isFile }) => isFile), rows.filter(({ isFile }) => !isFile)]
  show(`${ROUNDS} calls each, slowest first`, calls)
  show('files to save, whole', files)
  const slow = calls.filter(({ p95 }) => p95 > limitMs)
  say(
    `\n${calls.length} reads and ${files.length} files; p95 of ${calls.length - slow.length} reads is below ${limitMs} ms${slow.length ? `, not of ${slow.map(({ name }) => name).join(', ')}` : ''}`,
  )
  for (const [name, { refused }] of measured) if (refused !== null) say(`not answered with 200: ${name}: ${refused}`)
}
