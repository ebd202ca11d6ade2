import { sites } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import { enqueue, notifyConsole } from '../../http/commit-change.ts'
import { writeAudit } from '../../http/write-audit.ts'
import { notify } from '../notifications/notify.ts'
import { deleteSite } from '../sites/store.ts'
import { noteSiteEnd } from './enter-claim.ts'
import type { ClaimRow } from './store.ts'

/** A parked claim was kept long enough: the site goes, as if somebody had deleted it. */
export async function removeClaimedSite(tx: Tx, row: ClaimRow): Promise<void> {
  await removeSite(tx, row)
  await notify(tx, {
    organizationId: row.organization_id,
    event: 'name-removed',
    fields: { site: row.domain_name },
  })
}

/** Removes a site as somebody's removal does, in a transaction of the system's. */
export async function removeSite(
  tx: Tx,
  {
    id: siteId,
    organization_id: organizationId,
    domain_name: site,
  }: Pick<ClaimRow, 'id' | 'organization_id' | 'domain_name'>,
): Promise<void> {
  await noteSiteEnd(tx, siteId)
  const before = await deleteSite(tx, siteId)
  await enqueue(tx, organizationId, sites.routes.remove.changes, siteId)
  await notifyConsole(tx, { organizationId, kind: 'version', siteId })
  await writeAudit(tx, {
    organizationId,
    action: sites.routes.remove.audit,
    userId: null,
    userLabel: 'system',
    source: 'system',
    siteId,
    changes: [{ entity: 'site', id: siteId, label: site, before, after: null }],
  })
}
