import { isDeepStrictEqual } from 'node:util'
import type { EntityChange } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { PAGE_COLUMNS, hasTexts } from '../custom-pages/store.ts'
import { insertPurge, nextPurgeVersion } from '../purges/store.ts'
import { Failure } from '../../http/failure.ts'
import { VOLATILE } from './recorded-row.ts'

/**
 * The tables a revert may write, by the entity name that features record. `before` and `after` of a change hold the
 * row's own columns,
 * so writing back is the same few statements for all of them.
 */
const TABLES: Record<string, string> = {
  'access-entry': 'access_entry',
  'api-schema': 'api_schema',
  'bot-management': 'bot_management',
  'cache-rule': 'cache_rule',
  'challenge-friction': 'challenge_friction',
  'crs-rules': 'crs_rules',
  'custom-page': 'custom_page',
  'no-cache-rule': 'no_cache_rule',
  'dns-record': 'dns_record',
  domain: 'domain',
  'domain-cdn': 'domain_cdn',
  'security-rule': 'security_rule',
  'shield-region': 'shield_region',
  strategy: 'strategy',
  'vsr-rule': 'vsr_rule',
}

/** CDNs and domains leave step by step; a row that is on its way out counts as gone. */
const LEAVING: Record<string, string> = { 'domain-cdn': `state = 'deleting'`, domain: 'removed_at IS NOT NULL' }

type Row = Record<string, unknown>

/** Rows that others hang on, or that leave by more than a deletion: each is undone by itself. */
const ONE_BY_ONE = new Set(['custom-page', 'domain', 'domain-cdn'])

/** Of a row that is there. */
const KEPT: ReadonlySet<string> = new Set(['id', 'organization_id', 'site_id'])

type Found = Map<string, { row: Row; leaving: boolean }>

/**
 * Undoes changes, newest first, and answers what it changed. `version` is the one that will hold the revert.
 * @throws Failure 26915; 409 when a row is no longer as the version left it, or something newer hangs on it.
 */
export async function writeBack(
  tx: Tx,
  siteId: string,
  changes: EntityChange[],
  version: number,
): Promise<EntityChange[]> {
  const undone: EntityChange[] = []
  for (const run of runsOf([...changes].reverse())) {
    const entity = run[0]?.entity ?? ''
    const table = TABLES[entity]
    if (!table) throw new Failure(409, { internal: `${entity} cannot be reverted` })
    const found = await foundRows(
      tx,
      table,
      entity,
      siteId,
      run.map(({ id }) => id),
    )
    for (const { id, after } of run) {
      const now = found.get(id)
      if (!sameRow(now && !now.leaving ? now.row : null, after))
        throw new Failure(409, { internal: `${entity} ${id} has changed since` })
    }
    await takeAway(
      tx,
      table,
      siteId,
      run.filter(({ before }) => !before),
      version,
    )
    if (entity === 'custom-page') await refuseForgotten(tx, run)
    await restore(
      tx,
      table,
      run.filter(({ before }) => before),
      found,
      version,
    )
    undone.push(...run.map((change) => ({ ...change, before: change.after, after: change.before })))
  }
  return undone
}

/** Former texts of pages are not kept for ever. @throws Failure 26915 */
async function refuseForgotten(tx: Tx, changes: EntityChange[]): Promise<void> {
  for (const { before } of changes)
    if (before && !(await hasTexts(tx, String(before['organization_id']), [String(before['digest'])])))
      throw new Failure(26915)
}

/** Neighbours that the same few statements undo: rows of one table, none of them twice. */
function runsOf(changes: EntityChange[]): EntityChange[][] {
  const runs: EntityChange[][] = []
  const ids = new Set<string>()
  for (const change of changes) {
    const run = runs.at(-1)
    if (run?.[0]?.entity === change.entity && !ONE_BY_ONE.has(change.entity) && !ids.has(change.id)) run.push(change)
    else {
      runs.push([change])
      ids.clear()
    }
    ids.add(change.id)
  }
  return runs
}

async function foundRows(tx: Tx, table: string, entity: string, siteId: string, ids: string[]): Promise<Found> {
  const rows = await tx.query<{ id: string; row: Row; leaving: boolean }>(
    `SELECT id, to_jsonb(t) AS row, ${LEAVING[entity] ?? 'false'} AS leaving FROM ${table} t WHERE id = ANY($1) AND site_id = $2 ORDER BY id FOR UPDATE`,
    [ids, siteId],
  )
  return new Map(rows.map(({ id, ...found }) => [id, found]))
}

async function restore(tx: Tx, table: string, changes: EntityChange[], found: Found, version: number): Promise<void> {
  const rowOf = (change: EntityChange): Row => ({
    ...found.get(change.id)?.row,
    ...change.before,
    ...(change.after ? {} : fresh(change.entity, version)),
    modified_at: new Date(),
  })
  const [there, gone] = [changes.filter(({ id }) => found.has(id)), changes.filter(({ id }) => !found.has(id))]
  try {
    // Only this table's own columns, taken from the catalogue, never from the stored change.
    const columns = (
      await tx.query<{ name: string }>(
        `SELECT attname AS name FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND NOT attisdropped`,
        [table],
      )
    ).map((column) => column.name)
    if (there.length) {
      const own = columns.filter((name) => !KEPT.has(name))
      await tx.query(
        `UPDATE ${table} t SET (${own.join(', ')}) = ROW(${own.map((name) => `g.${name}`).join(', ')}) FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb) AS g WHERE t.id = g.id`,
        [JSON.stringify(there.map(rowOf))],
      )
    }
    // What moves by itself is no part of a change: it begins as in a new row.
    for (const rows of Map.groupBy(gone.map(rowOf), (row) => Object.keys(row).sort().join()).values()) {
      const given = columns.filter((name) => rows[0]?.[name] !== undefined).join(', ')
      await tx.query(
        `INSERT INTO ${table} (${given}) SELECT ${given} FROM jsonb_populate_recordset(NULL::${table}, $1::jsonb)`,
        [JSON.stringify(rows)],
      )
    }
    if (table === 'domain') for (const { id, before } of gone) await forgetCached(tx, id, before)
  } catch (error) {
    // Class 23: what the row refers to is gone, or another has taken its place.
    if (error instanceof Error && 'code' in error && String(error.code).startsWith('23'))
      throw new Failure(409, { internal: `${table} does not fit any more: ${error.message}` })
    throw error
  }
}

/**
 * Purges of a domain go with it, and what edges have stored of it may be there still: nothing from before its return is
 * served.
 */
async function forgetCached(tx: Tx, domainId: string, row: Row | null): Promise<void> {
  const [organizationId, siteId] = [String(row?.['organization_id']), String(row?.['site_id'])]
  const version = await nextPurgeVersion(tx, organizationId, domainId)
  await insertPurge(tx, {
    organizationId,
    siteId,
    domainId,
    kind: 'all',
    targets: [],
    soft: false,
    requestedBy: 'system',
    version,
  })
}

/** A row that comes back starts its life anew: its CDN has to be confirmed again. */
function fresh(entity: string, version: number): Row {
  const now = new Date().toISOString()
  if (entity === 'domain-cdn')
    return {
      state: 'deploying',
      state_since: now,
      detail: null,
      wanted_version: version,
      attempts: 0,
      bad_looks: 0,
      next_attempt_at: now,
      left_dns_at: null,
      edge_left_version: null,
      applied_version: null,
      leased_until: null,
    }
  // Higher than any that edges have seen of it, as there is less than one purge a second.
  return entity === 'domain' ? { removed_at: null, purge_version: Math.floor(Date.now() / 1000) } : {}
}

async function takeAway(
  tx: Tx,
  table: string,
  siteId: string,
  changes: EntityChange[],
  version: number,
): Promise<void> {
  const [change] = changes
  if (!change) return
  if (change.entity === 'domain-cdn') {
    await tx.query(
      `UPDATE domain_cdn SET state = 'deleting', state_since = now(), detail = NULL, wanted_version = $3, attempts = 0, bad_looks = 0, next_attempt_at = now(), left_dns_at = NULL, edge_left_version = NULL WHERE id = $1 AND site_id = $2`,
      [change.id, siteId, version],
    )
    return
  }
  if (change.entity === 'domain') {
    const used = await tx.query(
      `SELECT FROM domain_cdn WHERE domain_id = $1 AND state <> 'deleting' UNION ALL SELECT FROM strategy WHERE domain_id = $1 UNION ALL SELECT FROM vsr_rule WHERE domain_id = $1`,
      [change.id],
    )
    if (used.length) throw new Failure(409, { internal: `domain ${change.id} is in use` })
    await tx.query('UPDATE domain SET removed_at = now() WHERE id = $1 AND site_id = $2', [change.id, siteId])
    return
  }
  if (
    change.entity === 'custom-page' &&
    (await tx.query(`SELECT FROM domain WHERE $1 IN (${PAGE_COLUMNS.join(', ')})`, [change.id])).length > 0
  )
    throw new Failure(409, { internal: `page ${change.id} is in use` })
  await tx.query(`DELETE FROM ${table} WHERE id = ANY($1) AND site_id = $2`, [changes.map(({ id }) => id), siteId])
}

function sameRow(current: Row | null, after: Row | null): boolean {
  if (!current || !after) return current === after
  return Object.entries(after).every(
    ([column, value]) => VOLATILE.has(column) || isDeepStrictEqual(current[column], value),
  )
}
