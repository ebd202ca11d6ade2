import { spawn } from 'node:child_process'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { FEATURES } from '@fairway/contract'
import { CHECKOUT } from '../commands/checkout.ts'
import { type Installation, startInstallation } from '../installation/start-installation.ts'
import { median, quantile, table } from './figures.ts'
import { OPERATOR, operatorToken, registerOperator } from './operator.ts'
import { cpuSeconds } from './process-cpu.ts'

const RECORDS = 10_000
const SITE = 'bench-records.example'
const ROUNDS = 20
const WARM_ROUNDS = 5
const ENCODINGS = ['identity', 'gzip', 'br'] as const

/**
 * The screen of a site's records with very many of them: what the API takes to answer the list, then what a person
 * waits for in the browser.
 */
export async function benchRecords(say: (line: string) => void): Promise<void> {
  await using installation = await startInstallation({
    command: 'up',
    words: ['--roles', 'database,store,api,worker,dns'],
  })
  await registerOperator(installation)
  const site = (await installation.api(FEATURES.sites.routes.create, { domainName: SITE })).data.id
  const startedAt = performance.now()
  await installation.api(FEATURES.zoneFiles.routes.apply, { site, format: 'bind', text: zoneText() })
  say(`${RECORDS} records imported in ${Math.round(performance.now() - startedAt)} ms`)
  await measureList(installation, site, say)
  await measureScreen(installation)
  say(
    `load of the machine: ${os
      .loadavg()
      .map((one) => one.toFixed(1))
      .join(' ')} on ${os.cpus().length} cores`,
  )
}

/** Of a hundred names most are addresses, as in large zones that exist; values differ, or compression would flatter. */
function zoneText(): string {
  const line = (i: number): string => {
    switch (i % 20) {
      case 0:
        return `h${i} 3600 IN TXT "site-verification=${(i * 2_654_435_761) % 4_294_967_296}"`
      case 5:
        return `h${i} IN CNAME h${i + 1}`
      case 10:
        return `h${i} 300 IN AAAA 2001:db8::${(i * 7919).toString(16).slice(-4)}:${i % 9973}`
      case 15:
        return `h${i} 3600 IN MX 10 mail${i % 97}`
      default:
        return `h${i} 300 IN A 198.51.${(i * 31) % 256}.${i % 256}`
    }
  }
  return Array.from({ length: RECORDS }, (_, i) => `${line(i)}\n`).join('')
}

async function measureList(installation: Installation, site: string, say: (line: string) => void): Promise<void> {
  const token = await operatorToken(installation)
  const url = new URL(`/mdns/v2/zones/${site}/rrsets/?page_size=-1`, installation.url)
  const pid = installation.roles()['api']?.pid ?? 0
  const rows = []
  for (const encoding of ENCODINGS) {
    const measured: { ms: number; bytes: number }[] = []
    let cpuBefore = 0
    for (let round = -WARM_ROUNDS; round < ROUNDS; round++) {
      if (round === 0) cpuBefore = cpuSeconds(pid)
      const one = await answerOf(url, { authorization: `Bearer ${token}`, 'accept-encoding': encoding })
      if (round >= 0) measured.push(one)
    }
    const times = measured.map(({ ms }) => ms)
    rows.push([
      encoding,
      ...[
        median(times),
        quantile(times, 0.95),
        ((cpuSeconds(pid) - cpuBefore) / ROUNDS) * 1000,
        (measured[0]?.bytes ?? 0) / 1000,
      ].map((one) => one.toFixed(0)),
    ])
  }
  say(
    `\nthe list from the API, ${ROUNDS} times each\n${table([['encoding', 'p50 ms', 'p95 ms', 'CPU ms of the API', 'KB'], ...rows])}\n`,
  )
}

/** Bytes as they come over the wire: `fetch` would unpack them. */
function answerOf(url: URL, headers: Record<string, string>): Promise<{ ms: number; bytes: number }> {
  const startedAt = performance.now()
  return new Promise((resolve, reject) => {
    http
      .get(url, { headers }, (response) => {
        let bytes = 0
        response.on('data', (chunk: Buffer) => (bytes += chunk.length))
        response.on('end', () =>
          response.statusCode === 200
            ? resolve({ ms: performance.now() - startedAt, bytes })
            : reject(new Error(`${url.pathname} answered ${response.statusCode}`)),
        )
      })
      .once('error', reject)
  })
}

/**
 * A browser is driven by what drives it for the end-to-end tests, above this floor: it runs as a program of its own.
 */
async function measureScreen(installation: Installation): Promise<void> {
  const words = [
    path.join(CHECKOUT, 'e2e/measure-records.ts'),
    installation.url,
    SITE,
    OPERATOR.email,
    OPERATOR.password,
  ]
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', ...words], {
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const code = await new Promise<number | null>((resolve) => child.once('exit', resolve))
  if (code !== 0) throw new Error(`the browser's part ended with ${code}`)
}
