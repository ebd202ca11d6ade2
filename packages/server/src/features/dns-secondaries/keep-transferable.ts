import { isDeepStrictEqual } from 'node:util'
import type { DnsZone, ZoneTransfer } from '@fairway/contract'
import { namesToFlatten } from '@fairway/domain'
import { DnsClient, type Config, type Database, type Log, type Tx, localHost, ownPeer } from '@fairway/platform'
import { enqueue } from '../../http/commit-change.ts'
import { startWakeLoop, type RunningLoop } from '../../loops/wake-loop.ts'
import { TRANSFERS_CHANNEL } from '../../publish/zone-transfer.ts'
import { IS_THERE } from '../nodes/away.ts'

type Flattened = ZoneTransfer['flattened'][number]
type Taken = { site_id: string; organization_id: string; revision: number }
/** What a zone's body says at one revision, and what has been asked for it so far. */
type Known = {
  revision: number
  /** It has names that a transfer cannot carry as they are. */
  isReplaced: boolean
  given: boolean
  needed: string[]
  asked: Map<string, Flattened | null>
}
type Answered = Taken & { flattened: Flattened[]; withheld: string[] }

const POLL_MS = 5_000
/** Organisations take turns, however many names one has and however late they are answered; it goes on where it was. */
const TURN_MS = 30_000
/** A name whose CDNs share its visitors is asked for so often, to hear of more than one of them. */
const ASKS = 4

/**
 * Keeps what secondaries are given of zones with steered names or aliases: the addresses of names that cannot be a
 * CNAME are those that our own name server tells to who is nowhere in particular. When they change, the zone has
 * another serial.
 */
export function startTransferKeeper(config: Config, database: Database, log: Log): RunningLoop {
  const keeper = new TransferKeeper(database, TURN_MS)
  return startWakeLoop(database, log, {
    name: 'transfers',
    isElected: true,
    channels: [TRANSFERS_CHANNEL],
    pollMs: POLL_MS,
    due: 'SELECT FROM dns_secondary',
    async round() {
      const zones = await database.system(takenZones)
      keeper.forgetOthers(zones)
      if (zones.length === 0) return
      await using client = new DnsClient(ownPeer({ ...config.dnsListen, host: localHost(config.dnsListen.host) }))
      for (const ofOne of Map.groupBy(zones, ({ organization_id }) => organization_id).values())
        await keeper.turn(client, ofOne)
    },
  })
}

/** What is known of zones between rounds. */
export class TransferKeeper {
  readonly #database: Pick<Database, 'system'>
  readonly #turnMs: number
  readonly #known = new Map<string, Known>()
  /** The zone at which an organisation's time was over. */
  readonly #goOnAt = new Map<string, string>()

  constructor(database: Pick<Database, 'system'>, turnMs: number) {
    this.#database = database
    this.#turnMs = turnMs
  }

  forgetOthers(zones: readonly Taken[]): void {
    const taken = new Set(zones.map(({ site_id }) => site_id))
    for (const siteId of this.#known.keys()) if (!taken.has(siteId)) this.#known.delete(siteId)
  }

  /** The zones of one organisation, in the order of their keys. */
  async turn(client: DnsClient, zones: readonly Taken[]): Promise<void> {
    const until = performance.now() + this.#turnMs
    const organizationId = zones[0]?.organization_id ?? ''
    const from = zones.findIndex(({ site_id }) => site_id >= (this.#goOnAt.get(organizationId) ?? ''))
    this.#goOnAt.delete(organizationId)
    for (const zone of [...zones.slice(Math.max(0, from)), ...zones.slice(0, Math.max(0, from))])
      if (performance.now() >= until || !(await this.#keepOne(client, zone, until)))
        return void this.#goOnAt.set(organizationId, zone.site_id)
  }

  /** False when there was no time for all of it. */
  async #keepOne(client: DnsClient, zone: Taken, until: number): Promise<boolean> {
    const known = await this.#bodyOf(zone)
    if (!known?.isReplaced) return true
    const row = await this.#database.system((tx) => answeredZone(tx, zone))
    if (!row) return true
    for (const name of known.needed) {
      if (known.asked.has(name)) continue
      if (performance.now() >= until) return false
      known.asked.set(name, await addressesOf(client, name))
    }
    const flattened = known.needed.flatMap(
      (name) => known.asked.get(name) ?? row.flattened.find((former) => former.name === name) ?? [],
    )
    known.asked.clear()
    await this.#database.system((tx) => keepFound(tx, row, known, flattened))
    return true
  }

  /** Bodies are large: one is read when it is new. Null when it has been replaced meanwhile. */
  async #bodyOf({ site_id, revision }: Taken): Promise<Known | null> {
    const before = this.#known.get(site_id)
    if (before?.revision === revision) return before
    const body = await this.#database.system((tx) => bodyAt(tx, site_id, revision))
    if (!body) return null
    const { zone, given } = body
    const known: Known = {
      revision,
      isReplaced: zone.steered.length + (zone.aliases ?? []).length > 0,
      given,
      needed: namesToFlatten(zone),
      asked: new Map(),
    }
    this.#known.set(site_id, known)
    return known
  }
}

/** Zones in service that secondaries take, found from those. */
export function takenZones(tx: Tx): Promise<Taken[]> {
  return tx.query<Taken>(
    `SELECT p.key AS site_id, p.organization_id, p.revision
     FROM (SELECT DISTINCT organization_id FROM dns_secondary) o JOIN site s ON s.organization_id = o.organization_id JOIN publication p ON p.kind = 'dns-zone' AND p.key = s.id::text
     WHERE p.body IS NOT NULL AND EXISTS (SELECT FROM node n WHERE n.role = 'dns' AND n.${IS_THERE}) ORDER BY p.key`,
  )
}

async function bodyAt(
  tx: Tx,
  siteId: string,
  revision: number,
): Promise<{ zone: Pick<DnsZone, 'origin' | 'rrsets' | 'steered' | 'aliases'>; given: boolean } | undefined> {
  // Of most zones no more than these two parts are looked at.
  const [row] = await tx.query<{ zone: DnsZone; given: boolean }>(
    `SELECT CASE WHEN jsonb_array_length(body->'steered') + jsonb_array_length(coalesce(body->'aliases', '[]')) > 0 THEN body - 'policies'
       ELSE jsonb_build_object('origin', body->'origin', 'rrsets', '[]'::jsonb, 'steered', '[]'::jsonb) END AS zone, body ? 'transfer' AS given
     FROM publication WHERE kind = 'dns-zone' AND key = $1 AND revision = $2 AND body IS NOT NULL`,
    [siteId, revision],
  )
  return row
}

/**
 * What is kept of a zone that every node answers by already: an older version would tell the addresses of before, such
 * as an origin's.
 */
async function answeredZone(tx: Tx, { site_id, revision }: Taken): Promise<Answered | undefined> {
  const [row] = await tx.query<Answered>(
    `SELECT p.key AS site_id, p.organization_id, p.revision, coalesce(z.flattened, '[]') AS flattened, coalesce(z.withheld, '{}') AS withheld
     FROM publication p LEFT JOIN zone_transfer z ON z.site_id = $1::text::uuid WHERE p.kind = 'dns-zone' AND p.key = $1 AND p.revision = $2
     AND NOT EXISTS (SELECT FROM node n LEFT JOIN node_version v ON v.node_id = n.id AND v.kind = p.kind AND v.key = p.key WHERE n.role = 'dns' AND n.${IS_THERE} AND (v.ok AND v.version >= p.version) IS NOT TRUE)`,
    [site_id, revision],
  )
  return row
}

async function keepFound(tx: Tx, row: Answered, { needed, given }: Known, flattened: Flattened[]): Promise<void> {
  const found = new Set(flattened.map(({ name }) => name))
  const withheld = needed.filter((name) => !found.has(name))
  const isNew = withheld.length === 0 && (!given || !isDeepStrictEqual(flattened, row.flattened))
  if (!isNew && isDeepStrictEqual(withheld, row.withheld)) return
  // What was answered meanwhile by a newer version is asked for again.
  const current = await tx.query('SELECT FROM publication WHERE kind = $1 AND key = $2 AND revision = $3 FOR UPDATE', [
    'dns-zone',
    row.site_id,
    row.revision,
  ])
  if (current.length === 0) return
  await tx.query(
    `INSERT INTO zone_transfer (site_id, organization_id, steps, flattened, withheld) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (site_id) DO UPDATE SET steps = zone_transfer.steps + $3, flattened = $4, withheld = $5`,
    [row.site_id, row.organization_id, isNew ? 1 : 0, JSON.stringify(flattened), withheld],
  )
  if (isNew) await enqueue(tx, row.organization_id, ['dns-zone'], row.site_id)
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
