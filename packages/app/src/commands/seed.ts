import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { account, cdnManagement, pulse, type Domain } from '@fairway/contract'
import { type Config, type HostPort, loadConfig, urlOf } from '@fairway/platform'
import { type Api, operatorApi } from '../api-client.ts'
import { BEACON_TAG_FILE } from '../seed/beacon-tag.ts'
import { readDemo, writeDemo } from '../seed/demo-file.ts'
import { seedSandbox } from '../seed/seed-sandbox.ts'
import { endLive, seedFilm } from '../seed/demo-film.ts'
import { demoPassword, seedWorld } from '../seed/seed-world.ts'
import { writePast } from '../seed/write-past.ts'
import { EMAIL, MAIN_DOMAIN, SITE } from '../seed/world-plan.ts'

/** A machine that does other things too takes its time; that nothing moves at all is a fault. */
const OPERATIONAL_PATIENCE_MS = 300_000
const ALL = { page_size: -1, ordering: 'created_at' } as const

/**
 * `seed` (run by `demo`): makes the demo world once. What a person changes in it afterwards stays changed. `seed
 * sandbox`, after it: two such worlds at a time are more than a small machine's database answers in time.
 */
export async function seed([what]: string[] = []): Promise<number> {
  const config = loadConfig()
  if (what === 'sandbox') {
    await seedSandbox(config)
    return 0
  }
  const known = readDemo(config)
  if (known) {
    await endLive(config)
    writeDemo(config, { ...known, ...addresses(config) })
    return 0
  }
  const api = operatorApi(config)
  const world = await timed('the demo site', () => seedWorld(api, config))
  const { organizationId } = await api(account.routes.info, {})
  const pastWritten = timed('two weeks of measurements', () => writePast(config, { organizationId, ...world }))
  await timed('a film', () => seedFilm(config, organizationId))
  const { tag, ownHosts, settings } = await api(pulse.routes.get, {})
  const { startDelaySeconds, repeatDelaySeconds, batchNumber } = settings
  await api(pulse.routes.update, {
    startDelaySeconds,
    repeatDelaySeconds,
    batchNumber,
    hosts: [...ownHosts, 'localhost', '127.0.0.1'],
  })
  fs.writeFileSync(path.join(config.home, BEACON_TAG_FILE), tag)
  await Promise.all([pastWritten, timed('its CDNs', () => untilOperational(api, world))])
  const main = world.domains.find((domain) => domain.name === MAIN_DOMAIN)
  const attached = main
    ? (await api(cdnManagement.routes.list, { site: world.siteId, domain: main.id, ...ALL })).data
    : []
  writeDemo(config, {
    ...addresses(config),
    email: EMAIL,
    password: demoPassword(config),
    site: SITE,
    domain: MAIN_DOMAIN,
    cdns: attached.map(({ name, cname }) => ({ name, cname })),
  })
  return 0
}

function addresses(config: Config) {
  const text = ({ host, port }: HostPort) => `${host}:${port}`
  return { url: `${urlOf(config.listen)}/`, dns: text(config.dnsListen), edge: text(config.edgeHttp) }
}

/** @throws Error when a CDN does not get there: the edge or the reconciler is stuck. */
async function untilOperational(
  api: Api,
  { siteId, domains }: { siteId: string; domains: readonly Domain[] },
): Promise<void> {
  for (const giveUpAt = Date.now() + OPERATIONAL_PATIENCE_MS; ; await delay(200)) {
    const lists = await Promise.all(
      domains.map((domain) => api(cdnManagement.routes.list, { site: siteId, domain: domain.id, ...ALL })),
    )
    const waiting = lists.flatMap(({ data }) => data.filter((cdn) => cdn.state !== 'operational'))
    if (!waiting.length) return
    if (Date.now() > giveUpAt)
      throw new Error(
        `CDNs of the demo are not operational: ${waiting.map((cdn) => `${cdn.name} ${cdn.state}${cdn.detail ? ` (${cdn.detail})` : ''}`).join(', ')}`,
      )
  }
}

async function timed<T>(what: string, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now()
  const result = await work()
  process.stderr.write(`fairway: made ${what} in ${((performance.now() - startedAt) / 1000).toFixed(1)} s\n`)
  return result
}
