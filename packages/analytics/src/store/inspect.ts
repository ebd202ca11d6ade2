import type { Config } from '@fairway/platform'
import { serverNames, storeUser } from './servers.ts'
import { StoreAway, StoreRefused, codeOf, isUnbelieved } from './store-error.ts'
import { type EventStore, openServer } from './store.ts'

/** What is wrong at one server of an outside ClickHouse, in words for who can mend it; null when nothing is. */
type ServerFinding = { server: string; problem: string | null }

/** Looks at every server that the settings name; nothing is changed there. None for the embedded engine. */
export async function inspectServers(config: Config): Promise<ServerFinding[]> {
  if (config.clickhouseUrl === '') return []
  return Promise.all(
    serverNames(config).map(async (server) => {
      try {
        await using store = openServer(config, server)
        return { server, problem: await lackingAt(store, config) }
      } catch (error) {
        return { server, problem: explainStore(error, config) }
      }
    }),
  )
}

/** The oldest whose settings and statements are all used here. */
const OLDEST = [24, 3] as const

async function lackingAt(store: EventStore, config: Config): Promise<string | null> {
  const [server] = await store.query<{ version: string }>('SELECT version() AS version')
  const [year = 0, month = 0] = (server?.version ?? '').split('.').map(Number)
  if (year < OLDEST[0] || (year === OLDEST[0] && month < OLDEST[1]))
    return `It is ClickHouse ${server?.version}; ${OLDEST.join('.')} is the oldest that can be used.`
  return (await lackingInCluster(store)) ?? (await lackingOnDisks(store, config))
}

async function lackingInCluster({ query, layout: { cluster } }: EventStore): Promise<string | null> {
  if (cluster === null) return null
  // Older servers do not tell whether replicas are left to replicate by themselves.
  const servers = await query<{ cluster: string; host_name: string; internal_replication?: number }>(
    'SELECT * FROM system.clusters',
  )
  const ours = servers.filter((one) => one.cluster === cluster)
  if (ours.length === 0) {
    const known = [...new Set(servers.map((one) => one.cluster))]
    return `It knows no cluster ${cluster} (FAIRWAY_CLICKHOUSE_CLUSTER); ${known.length === 0 ? 'it knows none' : `it knows ${known.join(', ')}`}. Clusters are in its configuration under <remote_servers>.`
  }
  if (ours.some((one) => one.internal_replication === 0))
    return `The shards of ${cluster} have no <internal_replication>true</internal_replication>: every insert would be made once for each replica.`
  const macros = await query<{ macro: string }>('SELECT macro FROM system.macros')
  const lacking = ['shard', 'replica'].filter((name) => !macros.some(({ macro }) => macro === name))
  if (lacking.length > 0)
    return `Its configuration lacks the ${lacking.length === 1 ? 'macro' : 'macros'} ${lacking.join(' and ')}: <macros><shard>1</shard><replica>${ours[0]?.host_name ?? 'ch1'}</replica></macros>, with the shard's number in ${cluster} and a name that no other replica has.`
  const places = await query<{ place: string; hosts: string[] }>(
    `SELECT place, groupArray(host) AS hosts FROM (
       SELECT hostName() AS host, concat(anyIf(substitution, macro = 'shard'), ' and ', anyIf(substitution, macro = 'replica')) AS place
       FROM clusterAllReplicas('${cluster}', system.macros) GROUP BY host
     ) GROUP BY place HAVING count() > 1 SETTINGS skip_unavailable_shards = 1`,
  )
  const [twice] = places
  return twice ? `${twice.hosts.join(' and ')} have the same macros shard and replica (${twice.place}).` : null
}

async function lackingOnDisks({ query, layout }: EventStore, { clickhouseColdVolume }: Config): Promise<string | null> {
  if (layout.storagePolicy === null && layout.cold === null) return null
  const policy = layout.storagePolicy ?? 'default'
  const volumes = await query<{ volume: string }>(
    'SELECT volume_name AS volume FROM system.storage_policies WHERE policy_name = {policy:String}',
    { policy },
  )
  if (volumes.length === 0)
    return `It has no storage policy ${policy} (FAIRWAY_CLICKHOUSE_STORAGE_POLICY); policies are in its configuration under <storage_configuration>.`
  if (layout.cold !== null && !volumes.some(({ volume }) => volume === clickhouseColdVolume))
    return `Its storage policy ${policy} has no volume ${clickhouseColdVolume} (FAIRWAY_CLICKHOUSE_COLD_VOLUME); it has ${volumes.map(({ volume }) => volume).join(', ')}.`
  return null
}

/** What ended a call, with what to do about it where that is known; never with a password in it. */
export function explainStore(error: unknown, config: Config): string {
  const said = error instanceof Error ? error.message.trim() : String(error)
  if (config.clickhouseUrl === '' || !(error instanceof StoreAway || error instanceof StoreRefused)) return said
  if (isUnbelieved(error))
    return `Its certificate is not believed (${said}). FAIRWAY_CLICKHOUSE_CA_FILE names the authority that has signed it.`
  const user = storeUser(config)
  const cluster = config.clickhouseCluster
  const onCluster = cluster === '' ? '' : ` ON CLUSTER '${cluster}'`
  switch (codeOf(error)) {
    case null:
      return `It does not answer: ${said}.`
    case 192:
    case 193:
    case 194:
    case 516:
      return `The user ${user} or its password is wrong there. Change FAIRWAY_CLICKHOUSE_USER, FAIRWAY_CLICKHOUSE_PASSWORD_FILE.`
    case 195:
      return `The user ${user} may not come from this machine's address. ALTER USER ${user}${onCluster} HOST …`
    case 164:
      return `The user ${user} may only read (${said}). Fairway writes and has settings of its own: ALTER USER ${user}${onCluster} SETTINGS readonly = 0`
    case 497:
      return `The user ${user} lacks a right. ${grantFor(said, user, onCluster) ?? said}`
    case 81:
      return `The database is not there (${said}). CREATE DATABASE …${onCluster}`
    case 115:
      return `It does not know a setting (${said}): it is older than ${OLDEST.join('.')}.`
    case 139:
      return `Its configuration lacks something: ${said}.`
    case 225:
    case 999:
      return `Its Keeper is away, without which nothing can be replicated: ${said}.`
    case 253:
      return `Another replica has the same macros shard and replica: ${said}.`
    case 701:
      return `It knows no cluster ${cluster} (FAIRWAY_CLICKHOUSE_CLUSTER).`
    case 159:
      return cluster === ''
        ? said
        : `Not every server of ${cluster} has done it in time; it is tried again until all have: ${said}`
    default:
      return error instanceof StoreRefused ? `It refuses: ${said}` : said
  }
}

/** `…it's necessary to have the grant INSERT(a) ON fairway.beacons` as the statement that gives it. */
function grantFor(said: string, user: string, onCluster: string): string | null {
  const right = /necessary to have the grant ((?:[A-Z]+[A-Z ,]*)(?:\([^)]*\))?) ON ([^\s]+)/.exec(said)
  if (!right) return null
  const [, what = '', where = ''] = right
  return `GRANT${onCluster} ${what.replace(/\(.*$/, '').trim()} ON ${where.replace(/\.+$/, '')} TO ${user}`
}
