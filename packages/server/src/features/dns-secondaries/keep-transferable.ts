import { isDeepStrictEqual } from 'node:util'
import type { DnsZone, ZoneTransfer } from '@fairway/contract'
import { namesToFlatten } from '@fairway/domain'
import { DnsClient, type Config, type Database, type Log, type Tx, ownPeer } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { TRANSFERS_CHANNEL } from '../../publish/zone-transfer.ts'
import { IS_THERE } from '../nodes/away.ts'

type Flattened = ZoneTransfer['flattened'][number]
type Row = {
  site_id: string
  organization_id: string
  revision: number
  zone: Pick<DnsZone, 'origin' | 'rrsets' | 'steered' | 'aliases'>
  given: boolean
  flattened: Flattened[]
  withheld: string[]
}

const POLL_MS = 5_000
/** A name whose CDNs share its visitors is asked for so often, to hear of more than one of them. */
const ASKS = 4

/**
 * Keeps what secondaries are given of zones with steered names or aliases: the addresses of names that cannot be a
 * CNAME are those that our own name server tells to who is nowhere in particular. When they change, the zone has
 * another serial.
 */
export function startTransferKeeper(config: Config, database: Database, log: Log): RunningLoop {
  return startWakeLoop(database, log, {
    name: 'transfers',
    isElected: true,
    channels: [TRANSFERS_CHANNEL],
    pollMs: POLL_MS,
    async round() {
      const zones = await database.system(takenZones)
      if (zones.length === 0) return
      await using client = new DnsClient(ownPeer(config.dnsListen))
      for (const zone of zones) await keepOne(database, client, zone)
    },
  })
}

/**
 * Zones in service that secondaries take, found from those, and that have names which a transfer cannot carry. Only
 * those that every node answers by already: an older version would tell the addresses of before, such as an origin's.
 */
function takenZones(tx: Tx): Promise<Row[]> {
  return tx.query<Row>(
    `SELECT p.key AS site_id, p.organization_id, p.revision, p.body - 'policies' AS zone, p.body ? 'transfer' AS given, coalesce(z.flattened, '[]') AS flattened, coalesce(z.withheld, '{}') AS withheld
     FROM (SELECT DISTINCT organization_id FROM dns_secondary) o JOIN site s ON s.organization_id = o.organization_id JOIN publication p ON p.kind = 'dns-zone' AND p.key = s.id::text LEFT JOIN zone_transfer z ON z.site_id = s.id
     WHERE p.body IS NOT NULL AND jsonb_array_length(p.body->'steered') + jsonb_array_length(coalesce(p.body->'aliases', '[]')) > 0
     AND EXISTS (SELECT FROM node n WHERE n.role = 'dns' AND n.${IS_THERE})
     AND NOT EXISTS (SELECT FROM node n LEFT JOIN node_version v ON v.node_id = n.id AND v.kind = p.kind AND v.key = p.key WHERE n.role = 'dns' AND n.${IS_THERE} AND (v.ok AND v.version >= p.version) IS NOT TRUE)
     ORDER BY p.key`,
  )
}

async function keepOne(database: Database, client: DnsClient, row: Row): Promise<void> {
  const needed = namesToFlatten(row.zone)
  const flattened: Flattened[] = []
  for (const name of needed) {
    const found = (await addressesOf(client, name)) ?? row.flattened.find((known) => known.name === name)
    if (found) flattened.push(found)
  }
  const withheld = needed.filter((name) => !flattened.some((found) => found.name === name))
  const isNew = withheld.length === 0 && (!row.given || !isDeepStrictEqual(flattened, row.flattened))
  if (!isNew && isDeepStrictEqual(withheld, row.withheld)) return
  await database.system(async (tx) => {
    // What was answered meanwhile by a newer version is asked for again.
    const current = await tx.query(
      'SELECT FROM publication WHERE kind = $1 AND key = $2 AND revision = $3 FOR UPDATE',
      ['dns-zone', row.site_id, row.revision],
    )
    if (current.length === 0) return
    await tx.query(
      `INSERT INTO zone_transfer (site_id, organization_id, steps, flattened, withheld) VALUES ($1, $2, $3, $4, $5)
       ON CONFLICT (site_id) DO UPDATE SET steps = zone_transfer.steps + $3, flattened = $4, withheld = $5`,
      [row.site_id, row.organization_id, isNew ? 1 : 0, JSON.stringify(flattened), withheld],
    )
    if (isNew) await enqueue(tx, row.organization_id, ['dns-zone'], row.site_id)
  })
}

/** The addresses that a name of ours is answered with; null when it has none, or they could not be asked for. */
async function addressesOf(client: DnsClient, name: string): Promise<Flattened | null> {
  const [a, aaaa] = await Promise.all((['A', 'AAAA'] as const).map((type) => told(client, name, type)))
  return a && aaaa && a.length + aaaa.length > 0 ? { name, a, aaaa } : null
}

async function told(client: DnsClient, name: string, type: 'A' | 'AAAA'): Promise<string[] | null> {
  const replies = await Promise.all(Array.from({ length: ASKS }, () => client.ask(name, type)))
  const found = new Set<string>()
  for (const reply of replies) {
    if (reply?.rcode !== 'NOERROR' || !reply.authoritative) return null
    for (const record of reply.answers) if (record.type === type && record.name === name) found.add(record.rdata)
  }
  return [...found].sort()
}
