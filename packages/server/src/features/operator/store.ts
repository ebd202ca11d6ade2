import type { Maintenance, Maxima, PlanFeature } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

type Counts = {
  organizations: number
  suspended: number
  users: number
  sites: number
  partners: number
  open_tickets: number
  letters_waiting: number
  letters_failed: number
  letters_kept: number
  maintenance_mode: boolean
}

export async function countAll(tx: Tx): Promise<Counts> {
  const rows = await tx.query<Counts>(
    `SELECT (SELECT count(*)::int FROM organization) AS organizations, (SELECT count(*)::int FROM organization WHERE suspended) AS suspended, (SELECT count(*)::int FROM app_user) AS users,
       (SELECT count(*)::int FROM site) AS sites, (SELECT count(*)::int FROM partner WHERE host_name IS NOT NULL) AS partners, (SELECT count(*)::int FROM support_ticket WHERE state = 'open') AS open_tickets,
       count(m.id) FILTER (WHERE m.state = 'waiting')::int AS letters_waiting, count(m.id) FILTER (WHERE m.state = 'failed')::int AS letters_failed, count(m.id) FILTER (WHERE m.state = 'kept')::int AS letters_kept, i.maintenance_mode
     FROM installation i LEFT JOIN mail_message m ON m.state IN ('waiting', 'failed', 'kept') GROUP BY i.id`,
  )
  if (!rows[0]) throw new Error('the installation has no row of its own')
  return rows[0]
}

export async function readMaintenance(tx: Tx): Promise<Maintenance> {
  const row = (
    await tx.query<{ maintenance_mode: boolean; maintenance_text: Partial<Maintenance['text']>; new_version: boolean }>(
      'SELECT maintenance_mode, maintenance_text, new_version FROM installation',
    )
  )[0]
  return {
    maintenanceMode: row?.maintenance_mode ?? false,
    text: { en: '', zhHant: '', zhHans: '', ...row?.maintenance_text },
    newVersion: row?.new_version ?? false,
  }
}

export type PlanRow = {
  id: string
  name: string
  offered: boolean
  ability: PlanFeature[]
  site_limit: number
  record_limit: number
  cdn_limit: number
  minimum_ttl_seconds: number
  maxima: Partial<Maxima>
  organization_count: number
}

/** Every plan, or those that are offered or in use by an organisation that the transaction sees. */
export async function listPlans(tx: Tx, { all }: { all: boolean }): Promise<PlanRow[]> {
  return tx.query(
    `SELECT p.id, p.name, p.offered, p.ability, p.site_limit, p.record_limit, p.cdn_limit, p.minimum_ttl_seconds, p.maxima, (SELECT count(*)::int FROM organization o WHERE o.plan_id = p.id) AS organization_count
     FROM plan p WHERE $1 OR p.offered OR EXISTS (SELECT FROM organization o WHERE o.plan_id = p.id) ORDER BY cardinality(p.ability), p.id`,
    [all],
  )
}
