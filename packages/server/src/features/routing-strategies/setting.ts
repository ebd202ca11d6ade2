import { DecidingFeed, type SteeringSetting } from '@fairway/contract'
import { canUseTtl } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { minimumTtlOf } from '../plans/maxima.ts'
import { recordedRow, type RecordedTable } from '../versions/recorded-row.ts'

type SettingRow = SteeringSetting & { recordIds: string[] }

const SELECT = `SELECT (SELECT min(r.ttl_seconds) FROM dns_record r WHERE r.domain_id = d.id) AS "ttlSeconds", ARRAY(SELECT r.id::text FROM dns_record r WHERE r.domain_id = d.id) AS "recordIds",
  d.fallback_ttl_seconds AS "fallbackTtlSeconds", d.steering_levels AS levels, d.max_age_seconds AS "maxAgeSeconds", d.minimum_samples AS "minimumSamples", d.margin_percent AS "marginPercent", d.significance, d.feeds_off AS "feedsOff" FROM domain d WHERE d.id = $1`

export async function settingOf(tx: Tx, domainId: string): Promise<SteeringSetting> {
  const { recordIds: _, ...setting } = await rowOf(tx, domainId)
  return setting
}

/** Changes what is given of a domain's setting and records it; nothing when it is as wanted already. */
export async function changeSetting(
  context: Context,
  domain: { id: string; name: string },
  wanted: Partial<SteeringSetting>,
): Promise<void> {
  const { tx, actor, site, change } = context
  const { recordIds, ...now } = await rowOf(tx, domain.id)
  const next = { ...now, ...wanted }
  next.feedsOff = DecidingFeed.options.filter((feed) => next.feedsOff.includes(feed))
  if (JSON.stringify(next) === JSON.stringify(now)) return
  const least = await minimumTtlOf(tx, actor.organizationId)
  const changed = (field: 'ttlSeconds' | 'fallbackTtlSeconds') => (next[field] === now[field] ? null : next[field])
  const refused = canUseTtl(least, changed('ttlSeconds')) ?? canUseTtl(least, changed('fallbackTtlSeconds'))
  if (refused) throw new Failure(refused)
  const ids: { table: RecordedTable; entity: string; id: string; label: string }[] = [
    { table: 'domain', entity: 'domain', id: domain.id, label: domain.name },
    ...(next.ttlSeconds === now.ttlSeconds ? [] : recordIds).map((id) => ({
      table: 'dns_record' as const,
      entity: 'dns-record',
      id,
      label: domain.name,
    })),
  ]
  const before = await Promise.all(ids.map(({ table, id }) => recordedRow(tx, table, site.id, id)))
  await tx.query(
    'UPDATE domain SET fallback_ttl_seconds = $2, steering_levels = $3, max_age_seconds = $4, minimum_samples = $5, margin_percent = $6, significance = $7, feeds_off = $8 WHERE id = $1',
    [
      domain.id,
      next.fallbackTtlSeconds,
      next.levels === null ? null : JSON.stringify(next.levels),
      next.maxAgeSeconds,
      next.minimumSamples,
      next.marginPercent,
      next.significance,
      JSON.stringify(next.feedsOff),
    ],
  )
  if (next.ttlSeconds !== now.ttlSeconds)
    await tx.query('UPDATE dns_record SET ttl_seconds = $2, modified_at = now() WHERE domain_id = $1', [
      domain.id,
      next.ttlSeconds,
    ])
  for (const [index, { table, entity, id, label }] of ids.entries()) {
    const [was, is] = [before[index] ?? null, (await recordedRow(tx, table, site.id, id)) ?? null]
    if (JSON.stringify(was) !== JSON.stringify(is)) change.record({ entity, id, label, before: was, after: is })
  }
}

async function rowOf(tx: Tx, domainId: string): Promise<SettingRow> {
  const [row] = await tx.query<SettingRow>(SELECT, [domainId])
  if (!row) throw new Failure(404)
  return row
}
