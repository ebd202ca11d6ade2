import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { DnsClient, textOf } from '../dns-client.ts'
import { quantile } from './figures.ts'
import { FEATURES } from '@fairway/contract'
import { splitZoneFile } from '@fairway/domain'
import { type Installation, startInstallation } from '../installation/start-installation.ts'
import { registerOperator } from './operator.ts'
import { memoryBytes } from './process-cpu.ts'
import { CHANGES, tellChanges, timeChanges } from './timed-changes.ts'

const SITES = 1_000
/** More of them than this are records of one zone. */
const MOST_OF_A_SITE = 10_000
/** The zone at the end of a run over many sites. */
const LARGE = 20_000
const AT_ONCE = 2_000
/** How often another zone is changed, and memory looked at, while a large one is imported. */
const BESIDE_MS = 1_000
const SERVED_WITHIN_MS = 600_000
const SWAPS = 100
const SWAP_QUERIES_PER_SECOND = 10_000

/**
 * From the API call that changes a record to the DNS answering it, in a full installation: over a thousand sites of
 * `records` each, then queries during swaps and a zone of 20,000; or, where `records` are more than a site of a thousand
 * has, in one zone of that many.
 */
export async function benchPropagation(say: (line: string) => void, records = 50): Promise<void> {
  await using installation = await startInstallation({ command: 'up' })
  using dns = new DnsClient(installation.config.dnsListen)
  if (records > MOST_OF_A_SITE) {
    await registerOperator(installation)
    await largeZone(installation, dns, say, records)
    return
  }
  const sites = await fill(installation, records, say)
  const zones = sites.map((site, number) => ({ site, origin: `site${number}.example` }))
  const changed = await timeChanges(installation, dns, zones)
  tellChanges(say, `${SITES} sites of ${records} records`, changed)
  await swapUnderLoad(installation, dns, sites[0] ?? '', say)
  await largeZone(installation, dns, say, LARGE)
}

/**
 * One zone: its file imported as the console does, in parts, with another zone changed meanwhile; changes of single
 * records; and many at once.
 */
async function largeZone(
  installation: Installation,
  dns: DnsClient,
  say: (line: string) => void,
  records: number,
): Promise<void> {
  const { data } = await installation.api(FEATURES.sites.routes.create, { domainName: `site${SITES}.example` })
  const other = await installation.api(FEATURES.sites.routes.create, { domainName: `site${SITES + 1}.example` })
  const started = performance.now()
  const since = () => `${((performance.now() - started) / 1000).toFixed(1)} s`
  const { parts } = await inTurns(splitZoneFile('bind', zoneText(records - AT_ONCE - CHANGES), `site${SITES}.example`))
  say(`\na file of ${records - AT_ONCE - CHANGES} records, read into ${parts.length} parts after ${since()}`)
  const beside = changeBeside(installation, dns, other.data.id)
  for (const [index, { text }] of parts.entries()) {
    const part = { number: index + 1, of: parts.length }
    await installation.api(FEATURES.zoneFiles.routes.apply, { site: data.id, format: 'bind', text, force: true, part })
    if (part.number % Math.ceil(parts.length / 5) === 0) say(`part ${part.number} taken after ${since()}`)
  }
  say(`all taken after ${since()}`)
  const last = records - AT_ONCE - CHANGES - 1
  await isServed(dns, `h${last - (last % 10) - 1}.site${SITES}.example`, `text ${last - (last % 10) - 1}`, started)
  say(`all served after ${since()}`)
  const { values, most } = await beside.stop()
  say(
    `meanwhile ${values.length} changes of another zone were served: ${[0.5, 0.95, 1].map((share) => `${quantile(values, share).toFixed(0)} ms`).join(', ')} (p50, p95, slowest)`,
  )
  say(`most memory: ${[...most].map(([role, bytes]) => `${role} ${Math.round(bytes / 2 ** 20)} MB`).join(', ')}`)
  await sleep(2_000)
  const changed = await timeChanges(installation, dns, [{ site: data.id, origin: `site${SITES}.example` }])
  tellChanges(say, `a zone of ${records} records`, changed)
  const begun = performance.now()
  const text = Array.from({ length: AT_ONCE }, (_, at) => `more${at} 300 IN TXT "more ${at}"\n`).join('')
  await installation.api(FEATURES.zoneFiles.routes.apply, { site: data.id, format: 'bind', text })
  const answeredMs = performance.now() - begun
  await isServed(dns, `more${AT_ONCE - 1}.site${SITES}.example`, `more ${AT_ONCE - 1}`, begun)
  const servedMs = performance.now() - begun
  say(
    `\n${AT_ONCE} records more at once: answered after ${(answeredMs / 1000).toFixed(1)} s, served after ${(servedMs / 1000).toFixed(1)} s`,
  )
}

async function isServed(dns: DnsClient, name: string, text: string, started: number): Promise<void> {
  while (textOf(await dns.ask({ name, type: 'TXT' })) !== text) {
    if (performance.now() - started > SERVED_WITHIN_MS) throw new Error(`${name} was not served in time`)
    await sleep(5)
  }
}

/** As a browser does: connections that the server ends meanwhile are noticed. */
async function inTurns<T>(turns: Generator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = turns.next()
    if (done) return value as T
    await nextTurn()
  }
}

/** Changes another zone, one record after the other, and watches how much memory the roles take, until it is stopped. */
function changeBeside(installation: Installation, dns: DnsClient, site: string) {
  const values: number[] = []
  const most = new Map<string, number>()
  const state = { running: true }
  const running = (async () => {
    for (let i = 0; state.running; i++) {
      const started = performance.now()
      await installation.api(FEATURES.dnsRecords.routes.create, {
        site,
        type: 'TXT',
        name: `b${i}`,
        value: `beside ${i}`,
      })
      await isServed(dns, `b${i}.site${SITES + 1}.example`, `beside ${i}`, started)
      values.push(performance.now() - started)
      for (const [role, { pid }] of Object.entries(installation.roles()))
        if (MEASURED.has(role) && pid !== null) most.set(role, Math.max(most.get(role) ?? 0, memoryBytes(pid)))
      await sleep(BESIDE_MS)
    }
  })()
  return {
    async stop() {
      state.running = false
      await running
      return { values, most }
    },
  }
}

const MEASURED: ReadonlySet<string> = new Set(['api', 'worker', 'dns', 'database'])

/** Nine addresses and a text, as often as it takes. */
const zoneText = (records: number): string =>
  Array.from({ length: records }, (_, i) =>
    i % 10 === 9 ? `h${i} 300 IN TXT "text ${i}"\n` : `h${i} 300 IN A 198.18.${(i >> 8) & 255}.${i & 255}\n`,
  ).join('')

async function fill(
  installation: Installation,
  recordsPerSite: number,
  say: (line: string) => void,
): Promise<string[]> {
  await registerOperator(installation)
  const sites: string[] = []
  const text = zoneText(recordsPerSite)
  const started = Date.now()
  const fillSite = async (index: number) => {
    const site = await installation.api(FEATURES.sites.routes.create, { domainName: `site${index}.example` })
    sites[index] = site.data.id
    await installation.api(FEATURES.zoneFiles.routes.apply, { site: site.data.id, format: 'bind', text })
  }
  let next = 0
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      while (next < SITES) await fillSite(next++)
    }),
  )
  say(
    `made ${SITES} sites of ${recordsPerSite} records over the API in ${((Date.now() - started) / 1000).toFixed(0)} s`,
  )
  await sleep(2_000)
  return sites
}

/**
 * Changes one zone again and again while queries for another name of it go on: none may be lost or answered wrongly.
 */
async function swapUnderLoad(
  installation: Installation,
  dns: DnsClient,
  site: string,
  say: (line: string) => void,
): Promise<void> {
  const counts = { sent: 0, lost: 0, wrong: 0 }
  const state = { running: true }
  const load = queryLoad(dns, counts, state)
  for (let i = 0; i < SWAPS; i++)
    await installation.api(FEATURES.dnsRecords.routes.create, {
      site,
      type: 'TXT',
      name: `swap${i}`,
      value: `swap ${i}`,
    })
  while (textOf(await dns.ask({ name: `swap${SWAPS - 1}.site0.example`, type: 'TXT' })) === null) await sleep(5)
  state.running = false
  const seconds = await load
  say(
    `\n${SWAPS} swaps of a zone under ${Math.round(counts.sent / seconds)} queries a second: ${counts.sent} sent, ${counts.lost} lost, ${counts.wrong} wrong`,
  )
}

async function queryLoad(
  dns: DnsClient,
  counts: { sent: number; lost: number; wrong: number },
  state: { running: boolean },
): Promise<number> {
  const started = performance.now()
  const inFlight = new Set<Promise<void>>()
  while (state.running) {
    const due = ((performance.now() - started) / 1000) * SWAP_QUERIES_PER_SECOND
    while (counts.sent < due) {
      counts.sent++
      const one: Promise<void> = dns.ask({ name: 'h1.site0.example', type: 'A' }).then((reply) => {
        if (reply === null) counts.lost++
        else if (reply.rcode !== 'NOERROR' || reply.answers.length !== 1) counts.wrong++
        inFlight.delete(one)
      })
      inFlight.add(one)
    }
    await sleep(1)
  }
  const seconds = (performance.now() - started) / 1000
  await Promise.all(inFlight)
  return seconds
}
