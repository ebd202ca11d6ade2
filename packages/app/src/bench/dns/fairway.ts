import fs from 'node:fs'
import path from 'node:path'
import type { DnsZone, Rrset, SteeringPolicy } from '@fairway/contract'
import {
  configEnvironment,
  controlRequest,
  type Geo,
  loadConfig,
  openGeo,
  runDir,
  systemEnvironment,
} from '@fairway/platform'
import { startNodeFeed } from '../node-feed.ts'
import { CDNS, DEFAULT_WEIGHTS, STATIC_ZONE, STEERED_NAMES, STEERED_ZONE, WEIGHTS, staticRecords } from './workload.ts'
import type { ServerUnderTest, Setting } from './server-under-test.ts'

/**
 * Our own `dns` role as it ships, its builder and query log included; only the API is replaced by a feed of the
 * benchmark's zones. One process answers unless said otherwise: a query's cost is compared on one core.
 */
export const fairway = (transport: 'mmsg' | 'dgram', processes = 1): ServerUnderTest => ({
  name: `Fairway (${transport})`,
  kinds: ['static', 'steering'],
  program: process.execPath,
  async prepare(kind, setting) {
    const zone = kind === 'static' ? staticZone(setting.records) : steeredZone()
    const feed = await startNodeFeed([
      { revision: 1, kind: 'dns-zone', key: zone.zoneId, version: zone.version, body: zone },
    ])
    const role = dnsRole(setting, {
      FAIRWAY_API_URL: feed.url,
      FAIRWAY_DNS_TRANSPORT: transport,
      FAIRWAY_DNS_PROCESSES: String(processes),
    })
    return { ...role, dispose: async () => feed[Symbol.asyncDispose]() }
  },
})

/** The command that runs our `dns` role in the folder's home. */
export function dnsRole(
  { folder, port }: Pick<Setting, 'folder' | 'port'>,
  settings: Record<string, string>,
): { command: string; words: string[]; env: Record<string, string | undefined> } {
  const config = loadConfig({
    FAIRWAY_HOME: homeIn(folder),
    FAIRWAY_DNS_LISTEN: `127.0.0.1:${port}`,
    FAIRWAY_COLLECTOR_LISTEN: '127.0.0.1:9',
    FAIRWAY_LOG_LEVEL: 'warn',
    ...settings,
  })
  shareGeo(folder, config.home)
  return {
    command: process.execPath,
    words: ['--disable-warning=ExperimentalWarning', path.join(import.meta.dirname, '../../main.ts'), 'role', 'dns'],
    env: { ...systemEnvironment(), ...configEnvironment(config) },
  }
}

/** The role's processes while it runs: those that answer, and the builder. */
export async function processesIn(folder: string): Promise<{ answering: number[]; builder: number }> {
  const { facts } = (await controlRequest(
    `unix:${path.join(runDir({ home: homeIn(folder) }), 'dns.sock')}`,
    'GET',
    '/readyz',
  )) as { facts: { processes: { pid: number }[]; builderPid: number } }
  return { answering: facts.processes.map(({ pid }) => pid), builder: facts.builderPid }
}

export const homeIn = (folder: string): string => path.join(folder, 'home')

/** Makes the location files that all servers in folders below share. */
export function prepareGeo(folder: string): Promise<Geo> {
  fs.mkdirSync(path.join(folder, 'geo'), { recursive: true })
  return openGeo(loadConfig({ FAIRWAY_HOME: folder }))
}

/** The location files are the same for every run: linked, not built again. */
function shareGeo(folder: string, home: string): void {
  const shared = path.join(folder, '../geo')
  fs.mkdirSync(shared, { recursive: true })
  fs.mkdirSync(home, { recursive: true })
  if (!fs.existsSync(path.join(home, 'geo'))) fs.symlinkSync(shared, path.join(home, 'geo'))
}

export function soa(origin: string): Rrset[] {
  return [
    {
      name: origin,
      type: 'SOA',
      ttlSeconds: 3600,
      rdata: [`ns1.${origin}. hostmaster.${origin}. 1 3600 600 604800 60`],
    },
    { name: origin, type: 'NS', ttlSeconds: 3600, rdata: [`ns1.${origin}.`] },
    { name: `ns1.${origin}`, type: 'A', ttlSeconds: 300, rdata: ['127.0.0.1'] },
  ]
}

function staticZone(count: number): DnsZone {
  const rrsets: Rrset[] = [...staticRecords(count)].map(({ name, type, value }) => ({
    name: `${name}.${STATIC_ZONE}`,
    type,
    ttlSeconds: 300,
    rdata: [value],
  }))
  return {
    zoneId: 'bench',
    organizationId: ORGANIZATION,
    origin: STATIC_ZONE,
    version: 1,
    rrsets: [
      ...soa(STATIC_ZONE),
      { name: `mx.${STATIC_ZONE}`, type: 'A', ttlSeconds: 300, rdata: ['127.0.0.1'] },
      ...rrsets,
    ],
    steered: [],
    policies: [],
  }
}

export const ORGANIZATION = '00000000-0000-4000-8000-000000000001'

function steeredZone(): DnsZone {
  const strategy = (
    index: number,
    name: string,
    places: string[],
    weights: readonly number[],
  ): SteeringPolicy['strategies'][number] => ({
    id: name,
    name,
    priority: index,
    enabled: true,
    method: 'weighted-distribution',
    filter: { places, networks: [], cidrs: [] },
    targets: CDNS.map((cdnId, i) => ({ cdnId, weight: weights[i] ?? 0 })),
    availabilityThreshold: null,
    omitRum: false,
    omitSum: false,
    requireAllData: false,
  })
  const policy: SteeringPolicy = {
    id: 'bench',
    organizationId: ORGANIZATION,
    cdns: CDNS.map((cdnId) => ({
      cdnId,
      name: cdnId,
      enabled: true,
      serving: true,
      cname: `site.${cdnId}.example`,
      latencyFactor: 1,
      latencyAddMs: 0,
    })),
    strategies: [
      ...Object.entries(WEIGHTS).map(([continent, weights], i) =>
        strategy(i, continent, [`continent:${continent}`], weights),
      ),
      strategy(99, 'other', [], DEFAULT_WEIGHTS),
    ],
    vsrRules: [],
    settings: { minimumSamples: 20, marginPercent: 5, ttlSeconds: 30 },
  }
  const steered = Array.from({ length: STEERED_NAMES }, (_, i) => ({
    name: `d${i}.${STEERED_ZONE}`,
    domainId: `d${i}`,
    policyId: policy.id,
  }))
  return {
    zoneId: 'steer',
    organizationId: ORGANIZATION,
    origin: STEERED_ZONE,
    version: 1,
    rrsets: soa(STEERED_ZONE),
    steered,
    policies: [policy],
  }
}
