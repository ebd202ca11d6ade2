import { setTimeout as delay } from 'node:timers/promises'
import { makeLog, openDatabase } from '@fairway/platform'
import { type Installation, startInstallation } from '../../installation/start-installation.ts'
import { quantile, table } from '../figures.ts'
import { cpuSeconds } from '../process-cpu.ts'
import { operatorToken, registerOperator } from '../operator.ts'
import { AUDIT_ENTRIES, ORGANIZATIONS, SITES, fill, pathValues, places } from './fill-store.ts'
import { type Read, everyRead } from './every-read.ts'

const ROUNDS = 40
const WARM_ROUNDS = 3
/** Calls in a row whose CPU time is counted: the system counts in steps of 10 ms. */
const CPU_CALLS = 20
const LIMIT_MS = 50
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
 * p50 and p95 of every declared read, from the request to the whole answer, asked one after the other by one client on
 * the same machine; and what each costs in CPU time.
 */
export async function benchApi(say: (line: string) => void): Promise<void> {
  await using installation = await startInstallation({
    command: 'up',
    words: ['--roles', 'database,store,api,worker,dns'],
    settings: {
      FAIRWAY_DESK_URL: 'http://127.0.0.1:1/?jwt={token}',
      FAIRWAY_DESK_SECRET: 'a-secret-that-two-sides-share-0001',
    },
  })
  const { organizationId } = await registerOperator(installation)
  await using database = openDatabase(installation.config, makeLog('bench', { logLevel: 'error' }), { connections: 2 })
  const userId =
    (
      await database.system((tx) =>
        tx.query<{ id: string }>('SELECT id FROM app_user WHERE organization_id = $1', [organizationId]),
      )
    )[0]?.id ?? ''
  const startedAt = performance.now()
  await database.system((tx) => fill(tx, organizationId, userId, say))
  say(
    `${ORGANIZATIONS} organisations, ${SITES} sites and ${AUDIT_ENTRIES} audit entries made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`,
  )
  const values = await database.system((tx) => pathValues(tx, organizationId, userId))
  const own = await database.system((tx) => places(tx, organizationId))
  report(await measure(installation, values, own), say)
}

async function measure(
  installation: Installation,
  values: Record<string, string[]>,
  own: Record<string, string>[],
): Promise<Measured> {
  const token = await operatorToken(installation)
  const reads = everyRead(own[0] ?? {})
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

function urlOf(base: string, { name, route, query }: Read, values: Record<string, string>): URL {
  const feature = name.split('.')[0] ?? ''
  const path = route.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => {
    const value = values[`${feature}.${param}`] ?? values[param]
    if (value === undefined) throw new Error(`say in fill-store.ts what {${param}} of ${name} stands for`)
    return encodeURIComponent(value)
  })
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

function report(measured: Measured, say: (line: string) => void): void {
  const rows = [...measured]
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
  const slow = calls.filter(({ p95 }) => p95 > LIMIT_MS)
  say(
    `\n${calls.length} reads and ${files.length} files; p95 of ${calls.length - slow.length} reads is below ${LIMIT_MS} ms${slow.length ? `, not of ${slow.map(({ name }) => name).join(', ')}` : ''}`,
  )
  for (const { name, refused } of rows.filter((row) => row.refused !== null))
    say(`not answered with 200: ${name}: ${refused}`)
}
