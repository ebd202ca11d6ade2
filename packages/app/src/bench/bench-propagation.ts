import { setTimeout as sleep } from 'node:timers/promises'
import { DnsClient, textOf } from '../dns-client.ts'
import { quantile, table } from './figures.ts'
import { FEATURES } from '@fairway/contract'
import { type Installation, startInstallation } from '../installation/start-installation.ts'
import { registerOperator } from './operator.ts'

const SITES = 1_000
const CHANGES = 200
/** As many as one import takes, with room for the changes. */
const LARGE = 19_500
const SWAPS = 100
const SWAP_QUERIES_PER_SECOND = 10_000

/**
 * From the API call that changes a record to the DNS answering it, in a full installation; then queries during swaps. A
 * million records are `recordsPerSite` 1,000, which take minutes to make.
 */
export async function benchPropagation(say: (line: string) => void, recordsPerSite = 50): Promise<void> {
  await using installation = await startInstallation({ command: 'up' })
  const sites = await fill(installation, recordsPerSite, say)
  using dns = new DnsClient(installation.config.dnsListen)
  const changed = await timeChanges(installation, dns, sites)
  tell(say, `${SITES} sites of ${recordsPerSite} records`, changed)
  await swapUnderLoad(installation, dns, sites[0] ?? '', say)
  await largeZone(installation, dns, say)
}

function tell(say: (line: string) => void, where: string, changed: Awaited<ReturnType<typeof timeChanges>>): void {
  say(`\n${where}; ${CHANGES} changes, one after the other, time from the call's start`)
  const row = (name: string, values: number[]) => [
    name,
    ...[0.5, 0.95, 0.99, 1].map((share) => quantile(values, share).toFixed(0)),
  ]
  say(
    table([
      ['ms', 'p50', 'p95', 'p99', 'max'],
      row(
        'API answered',
        changed.map((one) => one.answeredMs),
      ),
      row(
        'DNS answers the change',
        changed.map((one) => one.servedMs),
      ),
    ]),
  )
}

/** One zone of as many records as an import takes: the import, and changes of single records in it. */
async function largeZone(installation: Installation, dns: DnsClient, say: (line: string) => void): Promise<void> {
  const { data } = await installation.api(FEATURES.sites.routes.create, { domainName: `site${SITES}.example` })
  const started = performance.now()
  const text = zoneText(LARGE)
  await installation.api(FEATURES.zoneFiles.routes.apply, { site: data.id, format: 'bind', text })
  const answeredMs = performance.now() - started
  while (textOf(await dns.ask({ name: `h9.site${SITES}.example`, type: 'TXT' })) !== 'text 9') await sleep(5)
  say(
    `\n${LARGE} records imported into one zone: answered after ${(answeredMs / 1000).toFixed(1)} s, served after ${((performance.now() - started) / 1000).toFixed(1)} s`,
  )
  await sleep(2_000)
  tell(say, `a zone of ${LARGE} records`, await timeChanges(installation, dns, [data.id], SITES))
}

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

/** `sites` are called by their number, from `first` on. */
async function timeChanges(installation: Installation, dns: DnsClient, sites: string[], first = 0) {
  const measured: { answeredMs: number; servedMs: number }[] = []
  for (let i = 0; i < CHANGES; i++) {
    const index = (i * 37) % sites.length
    const name = `bench${i}.site${first + index}.example`
    const started = performance.now()
    await installation.api(FEATURES.dnsRecords.routes.create, {
      site: sites[index] ?? '',
      type: 'TXT',
      name: `bench${i}`,
      value: `change ${i}`,
    })
    const answeredMs = performance.now() - started
    while (textOf(await dns.ask({ name, type: 'TXT' })) !== `change ${i}`) {
      if (performance.now() - started > 30_000) throw new Error(`${name} was not served within 30 s`)
      await sleep(1)
    }
    measured.push({ answeredMs, servedMs: performance.now() - started })
  }
  return measured
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
