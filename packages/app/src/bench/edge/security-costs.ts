import { setTimeout as sleep } from 'node:timers/promises'
import type { Publication, SecurityPolicy } from '@fairway/contract'
import { CRS_DEFAULTS } from '@fairway/domain'
import { median, table } from '../figures.ts'
import { preciseCpuSeconds } from '../process-cpu.ts'
import { stockModSecurity } from '../waf/stock-modsecurity.ts'
import { startEdgeWorld } from './edge-world.ts'
import { plainNginx } from './peers.ts'
import { HOSTS, type RunningProxy } from './proxy-under-test.ts'
import { securityOf } from './security-of.ts'
import { wrk } from './wrk.ts'

const ROUNDS = 3
const SECONDS = 3
const HOST = HOSTS[0] ?? ''
/** Who says nothing of itself is asked by bot management whether it is a person. */
const HEADERS = { 'User-Agent': '"fairway-bench/1"' }
const HIT = '"/page-" .. n % 10'
/** Never seen before, and not to be stored. */
const FIRST_SIGHT = '"/pass/" .. n .. "?q=harbour+tour+for+two+" .. run .. "-" .. n'
const FIREWALL_RULES = 20
const LONG_LIST = 100_000

const NO_CRS = { ...CRS_DEFAULTS, enabled: false, rules: [], exclusions: [] }
const ALL_CRS: SecurityPolicy['crs'] = {
  ...CRS_DEFAULTS,
  enabled: true,
  full: true,
  sets: { xss: true, sqlInjection: true, genericInjection: true },
  rules: [],
  exclusions: [],
}

const STEPS: { name: string; policy: Partial<SecurityPolicy> | null; path: string }[] = [
  { name: 'hit, web security off', policy: null, path: HIT },
  {
    name: `hit, access control, ${FIREWALL_RULES} firewall rules, bot management`,
    policy: { access: cidrs(10), firewall: rules(), crs: NO_CRS },
    path: HIT,
  },
  { name: 'hit, 10 CIDRs in a list', policy: { access: cidrs(10), crs: NO_CRS }, path: HIT },
  { name: `hit, ${LONG_LIST} CIDRs in a list`, policy: { access: cidrs(LONG_LIST), crs: NO_CRS }, path: HIT },
  { name: 'hit, all rule sets, warm memo', policy: { crs: ALL_CRS }, path: HIT },
  { name: 'miss, web security off', policy: null, path: FIRST_SIGHT },
  { name: 'miss, all rule sets, first sight', policy: { crs: ALL_CRS }, path: FIRST_SIGHT },
]

/**
 * What web security costs a request: our edge with parts of it beside plain nginx, and the first sight of a request
 * beside stock ModSecurity with the same rules at the same level. Every round visits all, medians are compared.
 */
export async function securityCosts(say: (line: string) => void): Promise<void> {
  await using world = await startEdgeWorld([plainNginx, stockModSecurity(1)])
  const { ours, feed, folder, proxies } = world
  const others = proxies.filter((proxy) => proxy !== ours)
  const found = new Map<string, number[]>()
  let failures = 0
  const measure = async (id: string, proxy: RunningProxy, path: string) => {
    const load = { folder, port: proxy.port, path, hosts: [HOST], headers: HEADERS }
    await wrk({ ...load, seconds: 1 })
    const before = preciseCpuSeconds(proxy.proxyPid)
    const { requests, failed } = await wrk({ ...load, seconds: SECONDS })
    failures += failed
    const microseconds = ((preciseCpuSeconds(proxy.proxyPid) - before) / requests) * 1e6
    found.set(id, [...(found.get(id) ?? []), microseconds])
  }
  let version = 1_000
  for (let round = 0; round < ROUNDS; round++) {
    for (const proxy of others)
      for (const path of [HIT, FIRST_SIGHT]) await measure(`${proxy.name} ${path}`, proxy, path)
    for (const { name, policy, path } of STEPS) {
      feed.publish([changed(policy, ++version)])
      await feed.confirmed('site-0', version)
      await sleep(500)
      await measure(name, ours, path)
    }
  }
  const of = (id: string) => median(found.get(id) ?? [])
  const [plain, stock] = others.map(({ name }) => name)
  const own = of(`${plain} ${HIT}`)
  const rows = [
    ['nginx, plain cache: hit', own.toFixed(1), '1.00x'],
    ...STEPS.filter(({ path }) => path === HIT).map(({ name }) => [
      name,
      of(name).toFixed(1),
      `${(of(name) / own).toFixed(2)}x`,
    ]),
  ]
  say(`\n${table([['web security, 1 KB', 'CPU µs/request', 'of plain nginx'], ...rows])}`)
  if (stock === undefined) return say('stock ModSecurity is not installed and is left out')
  const theirs = of(`${stock} ${FIRST_SIGHT}`) - of(`${plain} ${FIRST_SIGHT}`)
  const inspected = of('miss, all rule sets, first sight') - of('miss, web security off')
  say(
    `first sight of a request: ${inspected.toFixed(0)} µs for the rule sets, stock ModSecurity at the same level ${theirs.toFixed(0)} µs: ${(inspected / theirs).toFixed(2)}x; ${failures} requests of all failed`,
  )
}

function changed(policy: Partial<SecurityPolicy> | null, version: number): Publication {
  const made = securityOf(policy ?? {})
  if (made.kind !== 'edge-security' || made.body === null) throw new Error('no web security was made')
  const body = { ...made.body, version, domains: policy === null ? [] : made.body.domains }
  return { ...made, revision: made.revision + version, version, body }
}

function cidrs(count: number): SecurityPolicy['access'] {
  return Array.from({ length: count }, (_, index) => ({
    id: `entry-${index}`,
    list: 'blacklist' as const,
    kind: 'address' as const,
    value: `${20 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}.0/24`,
    network: null,
    exclude: false,
    until: 0,
  }))
}

/** None of which fits. */
function rules(): SecurityPolicy['firewall'] {
  const fields = ['path', 'user-agent', 'query', 'referer'] as const
  return Array.from({ length: FIREWALL_RULES }, (_, index) => ({
    id: `rule-${index}`,
    name: `Rule ${index}`,
    expression: {
      field: fields[index % fields.length] ?? 'path',
      operator: 'contains' as const,
      name: '',
      negate: false,
      ignoreCase: false,
      values: [`never-${index}`],
    },
    action: { type: 'block' as const },
  }))
}
