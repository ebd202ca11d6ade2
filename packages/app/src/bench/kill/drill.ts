import { setTimeout as delay } from 'node:timers/promises'
import { FEATURES } from '@fairway/contract'
import { DnsClient, cnameOf } from '../../dns-client.ts'
import type { Installation } from '../../installation/start-installation.ts'
import { type Load, startLoad } from './load.ts'
import type { Victim } from './victims.ts'

const { cdnManagement, dnsRecords, sites } = FEATURES
export const ZONE = 'kill.example'
const STEERED = `www.${ZONE}`

/** A zone with a steered name on an edge that serves it, of whoever `installation.api` speaks for. Answers its site. */
export async function killZone(installation: Installation): Promise<string> {
  const { api, config } = installation
  const site = (await api(sites.routes.create, { domainName: ZONE })).data.id
  const { domainId } = (
    await api(dnsRecords.routes.create, { site, type: 'A', name: 'www', value: '93.184.215.14', multiCdn: true })
  ).data
  if (!domainId) throw new Error('the name has no domain')
  for (const cdnId of ['swiftlane', 'polaris'])
    await api(cdnManagement.routes.install, { site, domain: domainId, cdnId })
  using dns = new DnsClient(config.dnsListen)
  await until('the name is steered', 60_000, async () => cnameOf(await dns.ask({ name: STEERED, type: 'A' })) !== null)
  return site
}

export const loadOf = (installation: Installation, site: string): Load =>
  startLoad(installation, { site, zone: ZONE, steered: STEERED })

/** Kills, and waits until everything is ready again and a change is acknowledged. Answers how long that took, in ms. */
export async function killOnce(
  installation: Installation,
  load: Load,
  victim: Victim,
  readyWithinMs: number,
): Promise<number> {
  const killedAt = performance.now()
  await victim.kill(installation)
  const written = load.met.writes.acknowledged
  await delay(300)
  await until(`everything is ready after the end of ${victim.name}`, readyWithinMs, () => allReady(installation))
  await until(`changes are taken after the end of ${victim.name}`, readyWithinMs, () =>
    Promise.resolve(load.met.writes.acknowledged > written),
  )
  return Math.round(performance.now() - killedAt)
}

const allReady = (installation: Installation): Promise<boolean> =>
  installation.notReady().then(
    (reasons) => reasons.length === 0,
    () => false,
  )

async function until(what: string, withinMs: number, isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + withinMs; !(await isSo()); await delay(50))
    if (performance.now() > end) throw new Error(`not in time: ${what}`)
}
