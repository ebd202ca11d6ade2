import type { CompiledCdn, EntityChange, OriginShield } from '@fairway/contract'
import { BOT_BEGINNING, CRS_BEGINNING, mayBypassShield } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { Context, DomainRow } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { systemVersion } from '../../publish/system-version.ts'
import { setBotManagement } from '../bot-management/store.ts'
import { cacheRulesOf } from '../cache-rules/store.ts'
import { incompatible } from '../cdn-management/incompatible.ts'
import { setCrs } from '../crs-rules/store.ts'
import { recordedRow } from '../versions/recorded-row.ts'
import { compiled } from './compiled.ts'
import { intentOf } from './delivery.ts'
import { attachedDrivers } from './store.ts'

/** A setting without which a CDN that is in use would fetch the wrong thing or nothing is refused, not dropped. */
export function refuseIncompatible(cdns: CompiledCdn[]): void {
  for (const { name, problem, against, enabled } of cdns)
    if (problem && enabled) throw incompatible(name, problem, against)
}

/** Bypassing is what a domain goes over to, with the port that it will have. @throws Failure 27027 */
export function refuseBypass(before: OriginShield, after: { origin_shield: OriginShield; origin_port: number }): void {
  if (before === 'use' && after.origin_shield === 'bypass' && !mayBypassShield(after.origin_port))
    throw new Failure(27027)
}

/**
 * A domain goes behind the shield: what nobody has set of rule sets and challenges begins gently, and stands in the same
 * change.
 */
export async function beginGently({ tx, actor, site, domain, change }: Context): Promise<void> {
  const place = { organizationId: actor.organizationId, siteId: site.id, domainId: domain.id }
  const rowOf = (table: 'crs_rules' | 'bot_management') => recordedRow(tx, table, site.id, domain.id)
  const entry = { id: domain.id, label: domain.name, before: null }
  if (!(await rowOf('crs_rules'))) {
    await setCrs(tx, place, { settings: CRS_BEGINNING, rules: {}, exclusions: [] })
    change.record({ entity: 'crs-rules', ...entry, after: (await rowOf('crs_rules')) ?? null })
  }
  if (!(await rowOf('bot_management'))) {
    await setBotManagement(tx, place, BOT_BEGINNING)
    change.record({ entity: 'bot-management', ...entry, after: (await rowOf('bot_management')) ?? null })
  }
}

/**
 * CDNs that were only able to serve the domain behind the shield go out of use. Answers what changed. @throws Failure
 * 27906 when none would be left
 */
export async function switchOffUnfit(
  tx: Tx,
  siteId: string,
  { id, name }: Pick<DomainRow, 'id' | 'name'>,
  cdns: CompiledCdn[],
): Promise<EntityChange[]> {
  const unfit = cdns.filter(({ problem, enabled }) => problem !== null && enabled)
  if (unfit.length === 0) return []
  if (!cdns.some(({ problem, enabled }) => problem === null && enabled))
    throw new Failure(27906, { internal: `${unfit.map((cdn) => cdn.name).join(', ')} need the shield` })
  const attached = await attachedDrivers(tx, id)
  const changes: EntityChange[] = []
  for (const cdn of unfit) {
    const row = attached.find((one) => one.id === cdn.cdnId)
    if (!row) continue
    const before = (await recordedRow(tx, 'domain_cdn', siteId, row.rowId)) ?? null
    await tx.query('UPDATE domain_cdn SET enabled = false WHERE id = $1', [row.rowId])
    changes.push({
      entity: 'domain-cdn',
      id: row.rowId,
      label: `${cdn.name} on ${name}`,
      before,
      after: (await recordedRow(tx, 'domain_cdn', siteId, row.rowId)) ?? null,
    })
  }
  return changes
}

/**
 * The organisation has no shield any more: every domain speaks with its origin itself, each site by a version of its
 * own.
 */
export async function bypassEverywhere(tx: Tx, organizationId: string): Promise<void> {
  const rows = await tx.query<DomainRow>(
    `SELECT * FROM domain WHERE organization_id = $1 AND origin_shield = 'use' AND removed_at IS NULL ORDER BY site_id, name FOR UPDATE`,
    [organizationId],
  )
  for (const [siteId, domains] of Map.groupBy(rows, (row) => row.site_id)) {
    const changes: EntityChange[] = []
    for (const domain of domains) {
      const after = { ...domain, origin_shield: 'bypass' as const }
      refuseBypass(domain.origin_shield, after)
      const before = (await recordedRow(tx, 'domain', siteId, domain.id)) ?? null
      changes.push(
        ...(await switchOffUnfit(
          tx,
          siteId,
          domain,
          await compiled(tx, domain.id, intentOf(after, await cacheRulesOf(tx, domain.id))),
        )),
      )
      await tx.query(`UPDATE domain SET origin_shield = 'bypass' WHERE id = $1`, [domain.id])
      changes.push({
        entity: 'domain',
        id: domain.id,
        label: domain.name,
        before,
        after: (await recordedRow(tx, 'domain', siteId, domain.id)) ?? null,
      })
    }
    await systemVersion(tx, {
      organizationId,
      siteId,
      title: `Bypass the origin shield: ${domains.map(({ name }) => name).join(', ')}`,
      kinds: ['dns-zone', 'edge-security', 'edge-site'],
      changes,
    })
  }
}
