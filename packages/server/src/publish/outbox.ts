import type { PublicationKind } from '@fairway/contract'
import { isToBeFolded } from '@fairway/domain'
import { DatabaseAway, type Config, type Database, type Log, type Tx } from '@fairway/platform'
import { enqueue } from '../http/commit-change.ts'
import { isUuid, uuidIn } from '../http/tenant.ts'
import { startWakeLoop, type RunningLoop } from '../loops/wake-loop.ts'
import { askVendorsAgain } from '../reconcile/store.ts'
import { catalogKey } from './catalog-zone.ts'
import { buildDnsTransfers } from './dns-transfers.ts'
import { buildEdgeCertificates } from './edge-certificates.ts'
import { buildEdgeChallenges } from './edge-challenges.ts'
import { buildDnsZone, isProven, siteOf } from './dns-zone.ts'
import { buildEdgePages } from './edge-pages.ts'
import { buildEdgePurges } from './edge-purges.ts'
import { buildEdgeSecurity } from './edge-security.ts'
import { buildEdgeSite } from './edge-site.ts'
import { buildOutsideFeeds } from './outside-feeds.ts'
import { buildProbeTargets } from './probe-targets.ts'
import { buildSimulatedCdn } from './simulated-cdn.ts'
import { dnsZonePatch } from './dns-zone-patch.ts'
import { buildStreamBalance } from './stream-balance.ts'
import { buildStreamPeers } from './stream-peers.ts'
import { foldPatch, publish, publishPatch, withdraw, zoneBase } from './publication.ts'
import { LARGE_ZONE_RECORDS, LargeZones, isLargeZone } from './large-zones.ts'
import { isOutOfService, withdrawOfOthers } from './claimed-documents.ts'
import type { Built } from './built.ts'
import { transferState } from './zone-transfer.ts'

type Builder = (tx: Tx, key: string, config: Config) => Promise<Built>

/**
 * One builder a kind. A builder reads, never writes; null withdraws the document. Scores are published by the
 * collector.
 */
const BUILDERS: Record<Exclude<PublicationKind, 'scores'>, Builder> = {
  'dns-transfers': buildDnsTransfers,
  'dns-zone': buildDnsZone,
  'edge-challenges': buildEdgeChallenges,
  'edge-pages': buildEdgePages,
  'edge-purges': buildEdgePurges,
  'edge-certificates': buildEdgeCertificates,
  'edge-security': buildEdgeSecurity,
  'edge-site': buildEdgeSite,
  'outside-feeds': buildOutsideFeeds,
  'probe-targets': buildProbeTargets,
  'simulated-cdn': buildSimulatedCdn,
  'stream-balance': buildStreamBalance,
  'stream-peers': buildStreamPeers,
}

const POLL_MS = 5_000
const RETRY_MS = 1_000
/** Few enough that a change which comes meanwhile is seen soon. */
const AT_ONCE = 100
const PUT_OFF_SECONDS_MAX = 300
/** Where the database may have been at fault, which is better in a moment. */
const PUT_OFF_SECONDS_MAX_AWAY = 30
/** Characters of why a document could not be built. */
const PROBLEM_MAX = 500

/**
 * Takes outbox rows as they come and publishes the documents they ask for. Several workers may run: rows are taken
 * under lock.
 */
export function startOutbox(config: Config, database: Database, log: Log, largeFrom = LARGE_ZONE_RECORDS): RunningLoop {
  // Failed and not put off: its own statement may be what takes the database away, each time, and others come after it.
  let suspect: { kind: string; key: string; error: unknown } | null = null
  const putOffSuspect = async (): Promise<'later'> => {
    if (suspect) await putOff(database, log, suspect, suspect.error)
    suspect = null
    return 'later'
  }
  const loop = startWakeLoop(database, log, {
    name: 'outbox',
    channels: ['outbox'],
    pollMs: POLL_MS,
    due: 'SELECT FROM outbox WHERE due_at <= now()',
    retryMs: RETRY_MS,
    async round({ stopped }) {
      await putOffSuspect()
      // What has to wait is passed over, so that it keeps nobody else from his turn.
      const left: string[] = []
      for (let more = true; more && !stopped.aborted;) {
        const entries = await database.system((tx) =>
          tx.query<{ kind: keyof typeof BUILDERS; key: string; more: boolean; firstMs: number; lastMs: number }>(
            // Every start asks for the probes' targets of all organisations: nobody's change waits for them, nor for
            // the thousands of documents of another one: organisations take turns.
            `SELECT kind, key, more, "firstMs", "lastMs" FROM (
               SELECT kind, key, bool_and(has_more) AS more, ${sinceMs('min')} AS "firstMs", ${sinceMs('max')} AS "lastMs", min(id) AS first,
                 row_number() OVER (PARTITION BY kind = 'probe-targets', min(organization_id::text) ORDER BY min(id)) AS turn
               FROM outbox GROUP BY kind, key HAVING min(due_at) <= now()) AS waiting
             WHERE kind || ' ' || key <> ALL ($2) ORDER BY kind = 'probe-targets', turn, first LIMIT $1`,
            [AT_ONCE, left],
          ),
        )
        for (const { kind, key, more, ...since } of entries) {
          if (stopped.aborted) return
          const outcome =
            more && large.rests(since)
              ? 'rests'
              : await rebuild(config, database, kind, key, largeFrom).catch((error: unknown) => {
                  suspect = { kind, key, error }
                  return putOffSuspect()
                })
          if (outcome === 'large') large.build(key)
          // While parts of an import come, the next is there before it is done.
          if (outcome === 'long' && !more)
            await database
              .system((tx) => foldPatch(tx, key))
              .catch((error: unknown) => log.warn({ event: 'outbox.not-folded', key, err: error }))
          if (outcome === 'long-large' && !more) large.fold(key)
          if (outcome === 'large' || outcome === 'busy' || outcome === 'rests') left.push(`${kind} ${key}`)
        }
        more = entries.length === AT_ONCE
      }
    },
  })
  const large = new LargeZones(config, log, {
    done: loop.wake,
    failed: (key, problem) => putOff(database, log, { kind: 'dns-zone', key }, problem),
  })
  return {
    ...loop,
    async [Symbol.asyncDispose]() {
      await large[Symbol.asyncDispose]()
      await loop[Symbol.asyncDispose]()
    },
  }
}

/** What fails for one document keeps no other: it is tried again by itself, the later the more often it has failed. */
async function putOff(
  database: Database,
  log: Log,
  { kind, key }: { kind: string; key: string },
  error: unknown,
): Promise<'later'> {
  const most = error instanceof DatabaseAway ? PUT_OFF_SECONDS_MAX_AWAY : PUT_OFF_SECONDS_MAX
  // PostgreSQL takes no NUL in a text.
  const said = (error instanceof Error ? error.message : String(error)).replaceAll('\0', '')
  const problem = said.slice(0, PROBLEM_MAX)
  const [row] = await database.system((tx) =>
    tx.query<{ attempts: number }>(
      `UPDATE outbox SET attempts = f.attempts + 1, problem = $3, due_at = now() + make_interval(secs => least(${most}, 2 ^ least(f.attempts + 1, 20)))
       FROM (SELECT least(max(attempts), 1000000) AS attempts FROM outbox WHERE kind = $1 AND key = $2) f WHERE kind = $1 AND key = $2 RETURNING outbox.attempts`,
      [kind, key, problem],
    ),
  )
  if (row?.attempts === 1) log.error({ event: 'outbox.not-built', kind, key, err: error })
  return 'later'
}

const sinceMs = (which: 'min' | 'max') => `extract(epoch FROM now() - ${which}(created_at))::float8 * 1000`

/**
 * Builds and publishes one document; the rows that asked for it leave in the same transaction, so a crash loses
 * nothing. `large`: a zone of `largeFrom` records or more has to be built whole; `busy`: it is just now. Nothing was
 * done then. `long`: it is done, and what was patched is to be folded, beside the others where it is large.
 */
export async function rebuild(
  config: Config,
  database: Database,
  kind: keyof typeof BUILDERS,
  key: string,
  largeFrom: number | null = null,
): Promise<'done' | 'long' | 'long-large' | 'large' | 'busy'> {
  return database.system(async (tx) => {
    const isLarge = largeFrom !== null && kind === 'dns-zone' && isUuid(key) && (await isLargeZone(tx, key, largeFrom))
    // Of several workers one builds a document at a time, so that an older state never replaces a newer one.
    const lock = isLarge ? 'pg_try_advisory_xact_lock' : 'pg_advisory_xact_lock'
    const [locked] = await tx.query<{ got: unknown }>(`SELECT ${lock}(hashtextextended($1, 0)) AS got`, [
      `${kind} ${key}`,
    ])
    if (locked?.got === false) return 'busy'
    if (isLarge && !(await isOutOfService(tx, kind, key))) return keepUp(tx, key, config)
    const taken = await tx.query(
      'DELETE FROM outbox WHERE kind = $1 AND key = $2 AND id IN (SELECT id FROM outbox WHERE kind = $1 AND key = $2 FOR UPDATE SKIP LOCKED) RETURNING id',
      [kind, key],
    )
    if (!taken.length) return 'done'
    const isOut = await isOutOfService(tx, kind, key)
    const patched = !isOut && kind === 'dns-zone' && isUuid(key) ? await patch(tx, key, config) : null
    if (patched) return patched
    const built = isOut ? null : await BUILDERS[kind](tx, key, config)
    const stored = await storedVersion(tx, kind, key)
    if (built && stored && isSame(stored, built)) return 'done'
    // A zone that comes or goes does so in its owner's catalog too.
    if (kind === 'dns-zone' && (stored === null) !== (built === null)) await relistZone(tx, key)
    const isForVendors = built !== null && isUuid(key) && (await hasNewForVendors(tx, kind, key, built.body))
    if (built) {
      const { version, organizationId, body } = built
      await withdrawOfOthers(tx, kind, key)
      await publish(tx, { kind, key, version, organizationId, body })
    }
    if (!built) await withdraw(tx, kind, key)
    // Vendors have no feed to follow: their drivers are told that there is something new.
    if (isForVendors) await askVendorsAgain(tx, key, built.version)
    // Domains that come, go or change hands take their rules along.
    if (kind === 'edge-site' && (await hasSecurity(tx, key)))
      await enqueue(tx, built?.organizationId ?? null, ['edge-security'], key)
    // Outside feeds may speak of the CDNs that are probed, and beacons measure them.
    if (kind === 'probe-targets' && (await hasOutsideFeeds(tx, key))) await enqueue(tx, key, ['outside-feeds'], key)
    if (kind === 'probe-targets') await tx.query(`SELECT pg_notify('pulse', $1)`, [key])
    return 'done'
  })
}

/** What is told in a moment of a zone that takes long as a whole. */
async function keepUp(tx: Tx, key: string, config: Config): Promise<'done' | 'long-large' | 'large'> {
  const taken = await tx.query<{ id: number }>(
    `SELECT id FROM outbox WHERE kind = 'dns-zone' AND key = $1 FOR UPDATE SKIP LOCKED`,
    [key],
  )
  const patched = await patch(tx, key, config)
  if (!patched && !(await isPublished(tx, key, config))) return 'large'
  await tx.query('DELETE FROM outbox WHERE id = ANY($1)', [taken.map(({ id }) => id)])
  return patched === 'long' ? 'long-large' : 'done'
}

/** It is published as it is now: what asked for it came while it was built. */
async function isPublished(tx: Tx, key: string, config: Config): Promise<boolean> {
  const site = await siteOf(tx, key)
  const stored = await storedVersion(tx, 'dns-zone', key)
  if (!site || site.zone_status === 0 || !stored) return false
  const { steps } = await transferState(tx, key, site.organization_id)
  return isSame(stored, { version: site.version, step: steps, proven: isProven(config, site) })
}

/** Publishes what changed of a large zone where that can be told from the rest; null where it cannot. */
async function patch(tx: Tx, key: string, config: Config): Promise<'done' | 'long' | null> {
  const base = await zoneBase(tx, key)
  const found = base && (await dnsZonePatch(tx, key, config, base))
  if (!base || !found) return null
  if (found.patch.version > base.published) await publishPatch(tx, key, found.patch)
  return isToBeFolded(found.patch) ? 'long' : 'done'
}

/** Vendors are given chains for names: what else is new in a document of certificates is nothing to them. */
async function hasNewForVendors(tx: Tx, kind: string, key: string, body: object): Promise<boolean> {
  if (kind !== 'edge-certificates') return kind === 'edge-site'
  const chains = (of: string) => `jsonb_path_query_array(${of}, '$.certificates[*].chainPem')`
  const same = await tx.query(
    `SELECT FROM publication WHERE kind = $1 AND key = $2 AND body->'names' = $3::jsonb->'names' AND ${chains('body')} = ${chains('$3::jsonb')}`,
    [kind, key, JSON.stringify(body)],
  )
  return same.length === 0
}

async function hasSecurity(tx: Tx, siteId: string): Promise<boolean> {
  const rows = await tx.query(
    `SELECT FROM domain WHERE site_id = ${uuidIn('$1::text')} AND origin_shield = 'use' UNION ALL SELECT FROM publication WHERE kind = 'edge-security' AND key = $1 AND body IS NOT NULL LIMIT 1`,
    [siteId],
  )
  return rows.length > 0
}

async function hasOutsideFeeds(tx: Tx, organizationId: string): Promise<boolean> {
  return (
    (await tx.query('SELECT FROM outside_feed WHERE organization_id::text = $1 LIMIT 1', [organizationId])).length > 0
  )
}

async function relistZone(tx: Tx, siteId: string): Promise<void> {
  const [owner] = await tx.query<{ organization_id: string }>(
    `SELECT organization_id FROM dns_secondary WHERE organization_id = coalesce((SELECT organization_id FROM site WHERE id::text = $1), (SELECT organization_id FROM publication WHERE kind = 'dns-zone' AND key = $1)) LIMIT 1`,
    [siteId],
  )
  if (owner) await enqueue(tx, owner.organization_id, ['dns-zone'], catalogKey(owner.organization_id))
}

type Stored = { version: number; step: number; proven: boolean }

const isSame = (
  stored: Stored,
  { version, step = 0, proven = false }: Pick<NonNullable<Built>, 'version' | 'step' | 'proven'>,
) => stored.version === version && stored.step === step && stored.proven === proven

/** A large zone is not unpacked for it. */
async function storedVersion(tx: Tx, kind: string, key: string): Promise<Stored | null> {
  const [row] = await tx.query<Stored>(
    `SELECT version, coalesce(base_step, (body->>'step')::int, 0) AS step, coalesce(base_proven, (body->>'proven')::boolean, false) AS proven FROM publication WHERE kind = $1 AND key = $2 AND body IS NOT NULL`,
    [kind, key],
  )
  return row ?? null
}
