import type { BillableUsage } from '@fairway/analytics'
import type { Meter, MeterAmounts } from '@fairway/contract'
import type { DayUsage, Span } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { uuidIn } from '../../http/tenant.ts'

export type UsageRow = {
  day: string
  meter: Meter
  site_id: string
  domain_id: string
  cdn_id: string
  site_name: string
  domain_name: string
  cdn_name: string
  used: number
}

/**
 * Writes what the logs say of whole days. A count only grows: logs arrive late, and once they are dropped, or their
 * store is lost, what was counted stays.
 * `corrects` is for what vendors say, who take back what they had counted too much. Days of a month that has its
 * invoice are left as they were billed; what arrives later than that counts nowhere, to the customer's good.
 */
export async function writeUsage(tx: Tx, rows: readonly BillableUsage[], { corrects = false } = {}): Promise<void> {
  await tx.query(
    `INSERT INTO usage_day (organization_id, day, meter, site_id, domain_id, cdn_id, used)
       SELECT u.organization_id, u.day, u.meter, u.site_id, u.domain_id, u.cdn_id, u.used
       FROM jsonb_to_recordset($1::jsonb) AS u (organization_id uuid, day date, meter text, site_id text, domain_id text, cdn_id text, used bigint) JOIN organization o ON o.id = u.organization_id
       WHERE (u.used > 0 OR EXISTS (SELECT FROM usage_day k WHERE (k.organization_id, k.day, k.meter, k.site_id, k.domain_id, k.cdn_id) = (u.organization_id, u.day, u.meter, u.site_id, u.domain_id, u.cdn_id)))
         AND NOT EXISTS (SELECT FROM billing_account b WHERE b.organization_id = u.organization_id AND b.billed_until > u.day::timestamp AT TIME ZONE 'UTC')
       ORDER BY 1, 2, 3, 4, 5, 6
       ON CONFLICT (organization_id, day, meter, site_id, domain_id, cdn_id) DO UPDATE SET used = EXCLUDED.used WHERE EXCLUDED.used > usage_day.used OR $2 AND EXCLUDED.used < usage_day.used`,
    [
      JSON.stringify(
        rows.map((row) => ({
          organization_id: row.organizationId,
          day: row.day,
          meter: row.meter,
          site_id: row.siteId,
          domain_id: row.domainId,
          cdn_id: row.cdnId,
          used: row.used,
        })),
      ),
      corrects,
    ],
  )
}

export async function usageOf(tx: Tx, organizationId: string, span: Span): Promise<MeterAmounts> {
  const rows = await tx.query<{ meter: Meter; used: number }>(
    'SELECT meter, sum(used)::bigint AS used FROM usage_day WHERE organization_id = $1 AND day >= $2 AND day < $3 GROUP BY meter',
    [organizationId, ...daysOf(span)],
  )
  return Object.fromEntries(rows.map((row) => [row.meter, row.used]))
}

export async function usageByDay(tx: Tx, organizationId: string, span: Span): Promise<DayUsage[]> {
  const rows = await tx.query<{ day: string; meter: Meter; used: number }>(
    'SELECT day::text, meter, sum(used)::bigint AS used FROM usage_day WHERE organization_id = $1 AND day >= $2 AND day < $3 GROUP BY day, meter',
    [organizationId, ...daysOf(span)],
  )
  return rows.map((row) => ({ day: Date.parse(`${row.day}T00:00:00Z`), meter: row.meter, used: row.used }))
}

/** Every day and place with the names as they are now; what has no name any more keeps its id. */
export const usageRows = (tx: Tx, organizationId: string, span: Span): Promise<UsageRow[]> =>
  tx.query<UsageRow>(
    `SELECT u.day::text, u.meter, u.site_id, u.domain_id, u.cdn_id, u.used, coalesce(s.domain_name, CASE WHEN starts_with(u.site_id, 'stream:') THEN 'Stream' END, u.site_id) AS site_name,
            coalesce(d.name, v.name, l.name, CASE WHEN starts_with(u.domain_id, 'stream:') THEN 'Stream' END, u.domain_id) AS domain_name, coalesce(c.name, u.cdn_id) AS cdn_name
       FROM usage_day u LEFT JOIN site s ON s.id = ${uuidIn('u.site_id')} LEFT JOIN domain d ON d.id = ${uuidIn('u.domain_id')} LEFT JOIN stream_asset v ON v.id = ${uuidIn('u.domain_id')} LEFT JOIN stream_live l ON l.id = ${uuidIn('u.domain_id')} LEFT JOIN cdn c ON c.organization_id = u.organization_id AND c.id = u.cdn_id
      WHERE u.organization_id = $1 AND u.day >= $2 AND u.day < $3 ORDER BY u.day, site_name, domain_name, cdn_name`,
    [organizationId, ...daysOf(span)],
  )

const daysOf = ({ from, until }: Span): [string, string] => [
  new Date(from).toISOString().slice(0, 10),
  new Date(until).toISOString().slice(0, 10),
]
