import { isDeepStrictEqual } from 'node:util'
import type { DnsPrimaryProblem, EntityChange } from '@fairway/contract'
import { fetchedRecord, rdataBytes, siteOfPrimary, type FetchedRecord } from '@fairway/domain'
import {
  diskGauge,
  fetchZone,
  OutgoingRefusal,
  unseal,
  type Config,
  type Database,
  type FetchedZone,
  type Log,
  type OutgoingGate,
  type TsigKey,
  type Tx,
  type WireData,
} from '@fairway/platform'
import { startLeasedWork } from '../../loops/leased-work.ts'
import type { RunningLoop } from '../../loops/wake-loop.ts'
import { TRANSFER_KEYS } from '../../publish/dns-transfers.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { isClockTrusted } from '../billing/clock-watch.ts'
import { databaseNow } from '../names/store.ts'
import { addressOf } from './address.ts'
import {
  endLook,
  fetchedZoneOf,
  keepZone,
  PRIMARIES_DUE,
  primaryOf,
  releaseLook,
  takePrimaries,
  takesHistory,
  type PrimaryRow,
  type TakenPrimary,
} from './store.ts'
import { expiryOf, timersOf } from './timers.ts'
import { writeRecords } from './write-records.ts'

const AT_ONCE = 4
/** A server has so long for all that it says, and is left when it is quiet for so long. */
const TIMEOUT_MS = 60_000
const QUIET_MS = 5_000
/** Less than the lease, however many servers there are. */
const LOOK_MS = 230_000
/** A zone that was never fetched has no SOA that says how often to try. */
const FIRST_RETRY_SECONDS = 15
const TYPE_SOA = 6
/** SOA and nameservers do not count as records of a site. */
const APEX_RECORDS = 32
/** What the records of a zone come to at most, for each one that the plan allows and in all. */
const BYTES = { perRecord: 4_096, most: 256 << 20 }
/** While the disk has no room, nothing new is fetched: a zone that is answered is worth more than its next version. */
const NO_ROOM_SECONDS = 60

/**
 * Follows the primaries of zones that are kept elsewhere: looks when it is due or somebody asks, fetches what is new,
 * and lets expire what cannot be reached.
 */
export function startPrimaryFollower(config: Config, gate: OutgoingGate, database: Database, log: Log): RunningLoop {
  const disk = diskGauge(config)
  return startLeasedWork<TakenPrimary>(database, log, {
    name: 'site-primary',
    channel: 'site-primary',
    atOnce: AT_ONCE,
    due: PRIMARIES_DUE,
    take: takePrimaries,
    async work(row, stopped) {
      if (disk.level() !== 'enough') return database.system((tx) => releaseLook(tx, row.site_id, NO_ROOM_SECONDS))
      try {
        const seen = await ask({ config, gate }, database, row)
        await database.system((tx) => settle(tx, row, seen))
      } catch (error) {
        await database.system((tx) => releaseLook(tx, row.site_id, stopped.aborted ? 0 : FIRST_RETRY_SECONDS))
        if (!stopped.aborted) throw error
      }
    },
  })
}

/** The whole zone as it is now, that it is the same, or why nothing is known. */
type Seen =
  | { kind: 'same' | 'older' }
  | { kind: 'zone'; records: FetchedRecord[]; server: string }
  | { kind: 'problem'; problem: DnsPrimaryProblem; isOfTime: boolean }

/** Asks one server after the other until one knows. */
async function ask(
  { config, gate }: { config: Config; gate: OutgoingGate },
  database: Database,
  row: TakenPrimary,
): Promise<Seen> {
  const key: TsigKey | null =
    row.key_name !== null && row.secret_sealed !== null
      ? {
          name: row.key_name,
          secret: Buffer.from(unseal(config, TRANSFER_KEYS, row.secret_sealed), 'base64'),
          ...(row.key_algorithm ? { algorithm: row.key_algorithm } : {}),
        }
      : null
  const most = await database.system((tx) => recordLimit(tx, row.organization_id))
  let last: DnsPrimaryProblem = 'noAnswer'
  const other = { older: false, time: false }
  const giveUpAt = performance.now() + LOOK_MS
  for (const server of row.servers) {
    const at = await gate
      .admit({ organizationId: row.organization_id, purpose: 'primary' }, addressOf(server))
      .catch((error: unknown) => {
        if (error instanceof OutgoingRefusal) return error.reason
        throw error
      })
    if (typeof at === 'string') {
      last = at === 'private-address' ? 'privateAddress' : 'noAnswer'
      continue
    }
    // A server may be asked up to three times.
    const timeoutMs = Math.min(TIMEOUT_MS, (giveUpAt - performance.now()) / 3)
    if (timeoutMs <= 0) break
    const records = most + APEX_RECORDS
    const mostBytes = Math.min(records * BYTES.perRecord, BYTES.most)
    const options = { key, timeoutMs, quietMs: QUIET_MS, most: records, mostBytes }
    const fetched = await fetchZone(at, row.domain_name, knownSoa(row), options)
    if (fetched.kind === 'same') return { kind: 'same' }
    if (fetched.kind === 'older') {
      other.older = true
      continue
    }
    const zone =
      (await wholeZone(database, row, fetched)) ??
      (fetched.kind === 'changes'
        ? await wholeZone(database, row, await fetchZone(at, row.domain_name, null, options))
        : null)
    if (zone) return { kind: 'zone', records: zone, server }
    const problem = fetched.kind === 'problem' ? fetched.problem : 'malformed'
    if (problem === 'badTime') other.time = true
    last = problem === 'badTime' ? 'badSignature' : problem
  }
  return other.older ? { kind: 'older' } : { kind: 'problem', problem: last, isOfTime: other.time }
}

/** Null also where nothing has come from these servers yet: serials of others say nothing of theirs. */
function knownSoa({ soa, domain_name, transferred_at }: TakenPrimary): WireData | null {
  const bytes = transferred_at && soa && rdataBytes('SOA', soa.rdata)
  return soa && bytes
    ? { name: domain_name, type: TYPE_SOA, ttlSeconds: soa.ttlSeconds, rdata: Buffer.from(bytes) }
    : null
}

/** Null when what came cannot be read, or does not fit onto what is known. */
async function wholeZone(
  database: Database,
  { site_id }: TakenPrimary,
  fetched: FetchedZone,
): Promise<FetchedRecord[] | null> {
  if (fetched.kind === 'whole') return allOf(fetched.records)
  if (fetched.kind !== 'changes') return null
  const zone = await database.system((tx) => fetchedZoneOf(tx, site_id))
  const records = new Map((zone ?? []).map((record) => [keyOf(record), record]))
  for (const { removed, added } of fetched.steps) {
    const [gone, come] = [allOf(removed), allOf(added)]
    if (!gone || !come || !gone.every((record) => records.delete(keyOf(record)))) return null
    for (const record of come) records.set(keyOf(record), record)
  }
  // The SOA stands first, as in a transfer.
  return [...records.values()].sort((a, b) => Number(b.type === 'SOA') - Number(a.type === 'SOA'))
}

const keyOf = ({ name, type, rdata }: FetchedRecord): string => `${name} ${type} ${rdata}`

function allOf(records: readonly WireData[]): FetchedRecord[] | null {
  const read = records.flatMap((record) => fetchedRecord(record) ?? [])
  return read.length === records.length ? read : null
}

/** What was seen becomes the site's records and its state, in one step. */
async function settle(tx: Tx, taken: TakenPrimary, seen: Seen): Promise<void> {
  const row = await primaryOf(tx, taken.site_id, true)
  if (!row) return
  // What former servers said is no word of the new ones.
  if (!isDeepStrictEqual(row.servers, taken.servers)) return releaseLook(tx, row.site_id, 0)
  if (seen.kind === 'problem') return fail(tx, row, seen.problem, seen.isOfTime)
  if (seen.kind !== 'zone')
    return row.soa
      ? reached(tx, row, row.soa, seen.kind === 'older' ? 'olderSerial' : null)
      : fail(tx, row, 'malformed')
  const site = siteOfPrimary(seen.records, taken.domain_name)
  if ('problem' in site) return fail(tx, row, site.problem)
  if (site.records.length > (await recordLimit(tx, row.organization_id))) return fail(tx, row, 'tooLarge')
  const [soa] = seen.records
  const { serial } = timersOf(soa ?? { rdata: '' })
  const changes = await writeRecords(tx, row, site.records)
  await keepZone(tx, row.site_id, seen.records, serial)
  // A primary says how often its zone changes, and history is kept for ever: beyond its share of a day only what a
  // transfer came to is written down.
  const isKept = await takesHistory(tx, row.site_id, JSON.stringify(changes).length)
  await systemVersion(tx, {
    organizationId: row.organization_id,
    siteId: row.site_id,
    title: titleOf(seen.server, serial, changes),
    kinds: ['dns-zone'],
    changes: isKept ? changes : [],
  })
  await reached(tx, { ...row, state: 'current' }, soa ?? null)
}

async function reached(
  tx: Tx,
  row: PrimaryRow,
  soa: FetchedRecord | null,
  problem: DnsPrimaryProblem | null = null,
): Promise<void> {
  if (row.state === 'expired') await tellExpired(tx, row, 'The primary is back: the zone is answered again')
  await endLook(tx, row, {
    state: 'current',
    problem,
    reached: true,
    dueInSeconds: soa ? timersOf(soa).refreshSeconds : FIRST_RETRY_SECONDS,
  })
}

/**
 * A zone expires by no look alone and by no clock that may be wrong, ours or the primary's: one that refuses our time
 * (`isOfTime`) was reached.
 */
async function fail(tx: Tx, row: PrimaryRow, problem: DnsPrimaryProblem, isOfTime = false): Promise<void> {
  const expiry = expiryOf(row)?.getTime() ?? Number.POSITIVE_INFINITY
  const now = (await databaseNow(tx)).getTime()
  const wasExpired = row.state === 'expired'
  const expires = async () => row.state === 'failing' && !isOfTime && (await isClockTrusted(tx))
  const expired = expiry <= now && (wasExpired || (await expires()))
  if (expired && !wasExpired) await tellExpired(tx, row, 'The zone has expired: its primary cannot be reached')
  else if (wasExpired && !expired) await tellExpired(tx, row, 'The zone has not expired: it is answered again')
  const untilExpiry = expiry <= now ? Number.POSITIVE_INFINITY : Math.max(1, (expiry - now) / 1000)
  await endLook(tx, row, {
    state: expired ? 'expired' : row.soa ? 'failing' : 'waiting',
    problem,
    reached: false,
    dueInSeconds: Math.min(row.soa ? timersOf(row.soa).retrySeconds : FIRST_RETRY_SECONDS, untilExpiry),
  })
}

/** Nodes answer SERVFAIL for the zone from the version on that says so, and the zone again from the next one. */
async function tellExpired(tx: Tx, row: PrimaryRow, title: string): Promise<void> {
  await systemVersion(tx, {
    organizationId: row.organization_id,
    siteId: row.site_id,
    title,
    kinds: ['dns-zone'],
    changes: [],
  })
}

async function recordLimit(tx: Tx, organizationId: string): Promise<number> {
  return (
    (
      await tx.query<{ total: number }>(
        'SELECT p.record_limit AS total FROM organization o JOIN plan p ON p.id = o.plan_id WHERE o.id = $1',
        [organizationId],
      )
    )[0]?.total ?? 0
  )
}

function titleOf(server: string, serial: number, changes: readonly EntityChange[]): string {
  const added = changes.filter(({ before }) => before === null).length
  const removed = changes.length - added
  const parts = [added && `${added} added`, removed && `${removed} removed`].filter(Boolean)
  return `Transfer of version ${serial} from ${server}${parts.length > 0 ? `: ${parts.join(', ')}` : ''}`
}
