import { setTimeout as sleep } from 'node:timers/promises'
import { DnsClient, cnameOf } from '../dns-client.ts'
import { quantile, table } from './figures.ts'
import { FEATURES } from '@fairway/contract'
import { type Installation, startInstallation } from '../installation/start-installation.ts'
import { readDemo } from '../seed/demo-file.ts'

const TRIALS = 20
const QUERIES_PER_SECOND = 20
/** A visitor whose strategies leave the choice to measurements. */
const SUBNET = '80.147.0.0/24'

/**
 * `eligibleMs` until measurements let the CDN be chosen again; `backMs` until it was, which needs it to be the best
 * again.
 */
type Trial = { leftMs: number; eligibleMs: number; backMs: number; flaps: number; lost: number; failed: number }

/** How long a dead CDN stays in the answers, and how long a healthy one takes to come back. */
export async function benchFailover(say: (line: string) => void): Promise<void> {
  await using installation = await startInstallation({ command: 'demo' })
  const demo = readDemo(installation.config)
  if (!demo) throw new Error('the demo wrote no demo.json')
  using dns = new DnsClient(installation.config.dnsListen)
  await settled(dns, demo.domain)
  const trials: Trial[] = []
  for (let i = 0; i < TRIALS; i++) {
    trials.push(await trial(installation, dns, demo.domain))
    say(`trial ${i + 1}: out of the answers after ${Math.round(trials.at(-1)?.leftMs ?? 0)} ms`)
  }
  const row = (name: string, values: number[]) => [
    name,
    ...[0.5, 0.95, 1].map((share) => quantile(values, share).toFixed(0)),
  ]
  say(`\n${TRIALS} trials at ${QUERIES_PER_SECOND} queries a second`)
  say(
    table([
      ['ms', 'p50', 'p95', 'max'],
      row(
        'dead CDN out of the answers',
        trials.map((one) => one.leftMs),
      ),
      row(
        'healthy again and eligible',
        trials.map((one) => one.eligibleMs),
      ),
    ]),
  )
  const back = trials.filter((one) => Number.isFinite(one.backMs))
  say(
    `chosen again within a minute in ${back.length} of ${TRIALS} trials (p50 ${quantile(
      back.map((one) => one.backMs),
      0.5,
    ).toFixed(
      0,
    )} ms); in the others its availability over the window was still below the threshold, or another CDN had become the better one`,
  )
  const total = (of: (one: Trial) => number) => trials.reduce((sum, one) => sum + of(one), 0)
  say(
    `answers that named the dead CDN again: ${total((one) => one.flaps)}; lost queries: ${total((one) => one.lost)}; not NOERROR: ${total((one) => one.failed)}`,
  )
}

async function settled(dns: DnsClient, name: string): Promise<void> {
  for (let tries = 0; tries < 120; tries++) {
    if (cnameOf(await dns.ask({ name, type: 'A', subnet: SUBNET }))) return
    await sleep(500)
  }
  throw new Error(`${name} was not steered within a minute`)
}

async function trial(installation: Installation, dns: DnsClient, name: string): Promise<Trial> {
  const best = await steadyBest(installation, dns, name)
  const watch = watcher(dns, name, best)
  try {
    await set(installation, best, { mode: 'down' })
    const leftMs = await watch.until((slug) => slug !== best, 30_000)
    await sleep(5_000)
    const flaps = watch.seenSince(leftMs.at)
    await set(installation, best, { mode: 'up' })
    const [eligibleMs, back] = await Promise.all([
      untilEligible(installation, name, best),
      watch.until((slug) => slug === best, 60_000),
    ])
    return { leftMs: leftMs.ms, eligibleMs, backMs: back.ms, flaps, ...watch.counts() }
  } finally {
    watch.stop()
    await set(installation, best, { mode: 'up' })
  }
}

/**
 * The CDN that the visitor was sent to for five seconds without a change, with every candidate eligible: so a trial
 * sees its own fault only.
 */
async function steadyBest(installation: Installation, dns: DnsClient, name: string): Promise<string> {
  let best = ''
  for (let same = 0, tries = 0; tries < 600; tries++, await sleep(500)) {
    const slug = slugOf(cnameOf(await dns.ask({ name, type: 'A', subnet: SUBNET })))
    same = slug === best && (await ineligible(installation, name)).length === 0 ? same + 1 : 0
    best = slug
    if (same >= 10) return best
  }
  throw new Error('no steady choice within five minutes')
}

async function untilEligible(installation: Installation, name: string, cdn: string): Promise<number> {
  const started = performance.now()
  while (performance.now() - started < 300_000) {
    if (!(await ineligible(installation, name)).includes(cdn)) return performance.now() - started
    await sleep(50)
  }
  return Number.POSITIVE_INFINITY
}

/** CDNs that the visitor cannot be sent to now, by the explanation of the node that answers. */
async function ineligible(installation: Installation, name: string): Promise<string[]> {
  const { decision } = await installation.api(FEATURES.routingStrategies.routes.why, {
    name,
    client: SUBNET.replace(/\/\d+$/, ''),
  })
  const deciding = decision.trace.steps.find((step) => step.strategyId === decision.strategyId)
  return (deciding?.candidates ?? [])
    .filter(({ reason }) => ['hard-down', 'below-threshold', 'no-availability-data'].includes(reason))
    .map(({ cdnId }) => cdnId)
}

const set = (installation: Installation, cdn: string, fault: { mode: 'up' | 'down' }) =>
  installation.api(FEATURES.simulatedCdns.routes.set, { cdn, fault })
const slugOf = (cname: string | null): string => cname?.split('.')[1] ?? ''

/** Asks at a steady rate and remembers every answer. */
function watcher(dns: DnsClient, name: string, best: string) {
  const seen: { at: number; slug: string }[] = []
  const counts = { lost: 0, failed: 0 }
  const timer = setInterval(() => {
    void dns.ask({ name, type: 'A', subnet: SUBNET }).then((reply) => {
      if (reply === null) counts.lost++
      else if (reply.rcode !== 'NOERROR') counts.failed++
      else seen.push({ at: performance.now(), slug: slugOf(cnameOf(reply)) })
    })
  }, 1000 / QUERIES_PER_SECOND)
  return {
    counts: () => counts,
    stop: () => clearInterval(timer),
    seenSince: (at: number) => seen.filter((one) => one.at > at && one.slug === best).length,
    /** Time from now to the first answer that fits. */
    async until(fits: (slug: string) => boolean, limitMs: number): Promise<{ ms: number; at: number }> {
      const started = performance.now()
      while (performance.now() - started < limitMs) {
        const hit = seen.find((one) => one.at > started && fits(one.slug))
        if (hit) return { ms: hit.at - started, at: hit.at }
        await sleep(10)
      }
      return { ms: Number.POSITIVE_INFINITY, at: performance.now() }
    },
  }
}
