import type { DnsZonePatch, EntityChange } from '@fairway/contract'
import { MOST_PATCHED_VERSIONS, absoluteName, mostPatchedNames, toRrsets } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { hasPrimary } from '../features/dns-primary/store.ts'
import { type RecordRow, type SiteRow, challengeRecords, isProven, ownApex, recordOf, siteOf } from './dns-zone.ts'
import type { ZoneBase } from './publication.ts'
import { transferState } from './zone-transfer.ts'

/**
 * What has changed in a zone since it was published whole, read from its versions: a change of one record costs one
 * name, however large the zone is. Null where anything but plain records may have changed, which is published whole.
 */
export async function dnsZonePatch(
  tx: Tx,
  key: string,
  config: Config,
  base: ZoneBase,
): Promise<{ site: SiteRow; patch: DnsZonePatch } | null> {
  const site = await siteOf(tx, key)
  if (!site || site.zone_status === 0 || site.version <= base.version || (await hasPrimary(tx, key))) return null
  if (isProven(config, site) !== base.proven) return null
  const state = await transferState(tx, key, site.organization_id)
  if (state.steps !== base.step || (state.taken && (await isDecidedAnywhere(tx, key)))) return null
  const names = await touchedNames(tx, key, base, site.version)
  if (!names) return null
  const records = await tx.query<RecordRow>(
    'SELECT type, name, value, preference, ttl_seconds, multi_cdn, weight, domain_id FROM dns_record WHERE site_id = $1 AND name = ANY($2) ORDER BY name, type, created_at, id',
    [key, [...names]],
  )
  if (records.some(isDecided)) return null
  const challenges = (await challengeRecords(tx, key, site.domain_name)).filter(({ name }) => names.has(name))
  return {
    site,
    patch: {
      zoneId: site.id,
      since: base.version,
      version: site.version,
      ...(state.steps > 0 ? { step: state.steps } : {}),
      apex: ownApex(config, site, state.steps),
      names: [...names].map((name) => absoluteName(name, site.domain_name.toLowerCase())),
      rrsets: toRrsets([...records.map(recordOf), ...challenges], site.domain_name),
    },
  }
}

/** Answered by steering or with the addresses of another name: more than the record itself goes into the document. */
const isDecided = ({ type, multi_cdn }: Pick<RecordRow, 'type' | 'multi_cdn'>): boolean => multi_cdn || type === 'ALIAS'

async function isDecidedAnywhere(tx: Tx, siteId: string): Promise<boolean> {
  const rows = await tx.query(`SELECT FROM dns_record WHERE site_id = $1 AND (multi_cdn OR type = 'ALIAS') LIMIT 1`, [
    siteId,
  ])
  return rows.length > 0
}

/** Beyond so many changes for each name that a patch may have, nobody looks whether it is one all the same. */
const MOST_CHANGES_OF_A_NAME = 4

/** Relative names of the records that the versions in between changed; null when they changed anything else. */
async function touchedNames(
  tx: Tx,
  siteId: string,
  { version: from, sets }: ZoneBase,
  to: number,
): Promise<Set<string> | null> {
  const most = mostPatchedNames(sets)
  // Too many, or a number without a version: nothing says what that one changed. Changes are counted before any are
  // read: those of an import are a hundred megabytes, and end in nothing.
  const [counted] =
    to - from > MOST_PATCHED_VERSIONS
      ? []
      : await tx.query<{ versions: number; isLong: boolean }>(
          `SELECT count(*)::int AS versions, coalesce(sum(changes) > $4, false) AS "isLong"
           FROM (SELECT jsonb_array_length(changes) AS changes FROM version WHERE site_id = $1 AND number > $2 AND number <= $3) v`,
          [siteId, from, to, MOST_CHANGES_OF_A_NAME * most],
        )
  if (counted?.versions !== to - from || counted.isLong) return null
  const versions = await tx.query<{ kinds: string[]; changes: EntityChange[] }>(
    'SELECT kinds, changes FROM version WHERE site_id = $1 AND number > $2 AND number <= $3 ORDER BY number',
    [siteId, from, to],
  )
  const names = new Set<string>()
  for (const { kinds, changes } of versions) {
    if (!kinds.includes('dns-zone')) continue
    if (!changes.length) return null
    for (const { entity, before, after } of changes) {
      if (entity !== 'dns-record') return null
      for (const row of [before, after] as (Partial<RecordRow> | null)[]) {
        if (row === null) continue
        if (row.name === undefined || row.type === undefined || row.multi_cdn !== false || row.type === 'ALIAS')
          return null
        names.add(row.name)
      }
    }
    if (names.size > most) return null
  }
  return names
}
