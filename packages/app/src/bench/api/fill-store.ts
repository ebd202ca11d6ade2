import type { Tx } from '@fairway/platform'

export const ORGANIZATIONS = 200
export const SITES = 2_000
export const AUDIT_ENTRIES = 100_000
/** The organisation that is measured has more of everything than the others. */
const OWN_SITES = 100
const RECORDS_PER_SITE = 25

type Step = { what: string; sql: string }

/**
 * Fills an installation by SQL with what 200 organisations have after some months. `$1` is the organisation that is
 * measured, `$2` its operator.
 * Every statement is one step, so that a change of a table shows which one has to follow it.
 */
const STEPS: readonly Step[] = [
  {
    what: 'organisations',
    sql: `INSERT INTO organization (name, plan_id, code, partner_id, plan_chosen_at, industry, job_title) SELECT 'Organisation ' || i, 'business', '', (SELECT id FROM partner WHERE host_name IS NULL), now(), 'Media', 'Engineer' FROM generate_series(2, ${ORGANIZATIONS}) i`,
  },
  {
    what: 'sites',
    sql: `INSERT INTO site (organization_id, domain_name, dns_state, version, created_at) SELECT CASE WHEN i <= ${OWN_SITES} THEN $1::uuid ELSE others.ids[1 + i % (${ORGANIZATIONS} - 1)] END, 'site' || i || '.example', 'verified', CASE WHEN i <= ${OWN_SITES} THEN 30 ELSE 5 END, now() - i * interval '1 hour'
    FROM generate_series(1, ${SITES}) i, (SELECT array_agg(id) AS ids FROM organization WHERE id <> $1) others`,
  },
  {
    what: 'users',
    sql: `INSERT INTO app_user (organization_id, email, first_name, last_name, permissions, role_ids, email_verified_at) SELECT o.id, 'user' || i || '@' || o.id || '.example', 'Ann', 'Example', '{ViewSite,EditSite}'::text[], '{site-editor}'::text[], now() FROM organization o, generate_series(1, 5) i UNION ALL
    SELECT $1, 'mate' || i || '@example.com', 'Kim', 'Example', '{ViewSite}'::text[], '{site-viewer}'::text[], now() FROM generate_series(1, 50) i`,
  },
  {
    what: 'CDNs',
    sql: `INSERT INTO cdn (organization_id, id, name, slug, driver, category, series) SELECT o.id, c.slug, initcap(c.slug), c.slug, 'simulated', 'global-cdn', 1 FROM organization o, unnest('{swiftlane,polaris,tidewater}'::text[]) AS c(slug) ON CONFLICT DO NOTHING`,
  },
  {
    what: 'domains',
    sql: `INSERT INTO domain (organization_id, site_id, name, origin_address, origin_port, origin_protocol, host_header) SELECT organization_id, id, 'www.' || domain_name, '8.8.8.8', 443, 'https', 'www.' || domain_name FROM site`,
  },
  {
    what: 'records',
    sql: `INSERT INTO dns_record (organization_id, site_id, domain_id, type, name, value, multi_cdn) SELECT organization_id, site_id, id, 'A', 'www', '8.8.8.8', true FROM domain UNION ALL
    SELECT organization_id, id, NULL, 'A', 'host' || i, '198.41.0.' || i, false FROM site, generate_series(2, ${RECORDS_PER_SITE}) i`,
  },
  {
    what: 'attached CDNs',
    sql: `INSERT INTO domain_cdn (organization_id, site_id, domain_id, cdn_id, state, cname, wanted_version, applied_version) SELECT d.organization_id, d.site_id, d.id, c.slug, 'operational', 'x.' || c.slug || '.cdn.fairway.test', 1, 1 FROM domain d, unnest('{swiftlane,polaris,tidewater}'::text[]) AS c(slug)`,
  },
  {
    what: 'strategies',
    sql: `INSERT INTO strategy (organization_id, site_id, domain_id, priority, name, enabled, method, filter, targets, omit_rum, omit_sum, require_all_data) SELECT organization_id, site_id, id, p, 'Strategy ' || p, true, 'best-latency', '{"places":[],"networks":[],"cidrs":[]}', '[{"cdnId":"swiftlane"},{"cdnId":"polaris"}]', false, false, false FROM domain, generate_series(1, 5) p`,
  },
  {
    what: 'versions',
    sql: `INSERT INTO version (organization_id, site_id, number, title, author, source, kinds, changes, created_at) SELECT organization_id, id, n, 'Add A host' || n, 'bench@example.com', 'console', '{dns-zone}', jsonb_build_array(jsonb_build_object('entity', 'dns-record', 'id', id, 'label', 'A host' || n, 'before', NULL, 'after', jsonb_build_object('value', '198.41.0.' || n))), now() - (40 - n) * interval '1 day' FROM site, generate_series(1, version) n`,
  },
  {
    what: 'nodes',
    sql: `INSERT INTO node (name, role, software, last_seen_at) SELECT 'bench-' || role || i, role, '1', now() FROM generate_series(1, 3) i, unnest('{dns,edge}'::text[]) AS r(role)`,
  },
  {
    what: 'what nodes have confirmed',
    sql: `INSERT INTO node_version (node_id, kind, key, version, ok) SELECT n.id, CASE n.role WHEN 'dns' THEN 'dns-zone' ELSE 'edge-site' END, s.id::text, s.version, true FROM node n, site s WHERE n.name LIKE 'bench-%'`,
  },
  {
    what: 'health events',
    sql: `INSERT INTO health_event (organization_id, kind, cdn_id, title, started_at, ended_at) SELECT id, 'cdn-down', 'polaris', 'Polaris', now() - i * interval '1 hour', now() - i * interval '1 hour' + interval '5 minutes' FROM organization, generate_series(1, 50) i`,
  },
  {
    what: 'audit entries',
    sql: `INSERT INTO audit_log (organization_id, at, action, user_id, user_label, ip, source, site_id, domain, version, changes) SELECT CASE WHEN i % 5 = 0 THEN $1::uuid ELSE others.ids[1 + i % (${ORGANIZATIONS} - 1)] END, now() - (${AUDIT_ENTRIES} - i) * interval '1 minute', (ARRAY['dnsRecord.create','dnsRecord.update','strategy.update','auth.login'])[1 + i % 4], $2, CASE WHEN i % 3 = 0 THEN 'bench@example.com' ELSE 'user' || i % 50 || '@example.com' END, '203.0.113.' || i % 250, 'console', NULL, 'www.site' || i % 100 || '.example', i % 30, '[{"entity":"dns-record","id":"x","label":"A www","before":null,"after":{"value":"198.41.0.4"}}]'
    FROM generate_series(1, ${AUDIT_ENTRIES}) i, (SELECT array_agg(id) AS ids FROM organization WHERE id <> $1) others`,
  },
  {
    what: 'notifications',
    sql: `INSERT INTO notification (organization_id, audience, type, level, event, fields, site_id, created_at) SELECT o.id, 'ViewSite', 'cdn', 'critical', 'cdn-down', '{"cdn":"Polaris","evidence":"2 of 3 nodes"}', NULL, now() - i * interval '10 minutes' FROM organization o, generate_series(1, 2000) i WHERE o.id = $1 OR i <= 20`,
  },
  {
    what: 'notifications that were read',
    sql: `INSERT INTO notification_read (user_id, notification_id, organization_id, is_read) SELECT $2, id, organization_id, true FROM notification WHERE organization_id = $1 ORDER BY created_at DESC LIMIT 1000`,
  },
  {
    what: 'webhooks',
    sql: `INSERT INTO webhook_endpoint (organization_id, url, types, secret, enabled) SELECT $1, 'https://hooks.example/' || i, '{cdn}', 'sealed', false FROM generate_series(1, 5) i`,
  },
  {
    what: 'webhook deliveries',
    sql: `INSERT INTO webhook_delivery (organization_id, endpoint_id, event, body, state, tries, finished_at, created_at) SELECT organization_id, id, 'notification.created', repeat('x', 600), 'sent', '[]', now(), now() - i * interval '1 minute' FROM webhook_endpoint, generate_series(1, 2000) i`,
  },
  {
    what: 'letters',
    sql: `INSERT INTO mail_message (organization_id, partner_id, to_address, template, locale, fields, state, created_at) SELECT o.id, o.partner_id, 'ann@example.com', 'verify-email', 'en', '{"firstName":"Ann","link":"/verify-email?token=x","hours":24}', 'kept', now() - i * interval '1 minute' FROM organization o, generate_series(1, 25) i`,
  },
  {
    what: 'support tickets',
    sql: `INSERT INTO support_ticket (organization_id, user_id, number, provider, subject, plan_name, user_label, modified_at) SELECT o.id, CASE WHEN o.id = $1 THEN $2::uuid END, 'B' || row_number() OVER (), 'embedded', 'My site is locked.', 'Business', 'ann@example.com', now() - i * interval '1 hour' FROM organization o, generate_series(1, 10) i`,
  },
  {
    what: 'messages of tickets',
    sql: `INSERT INTO support_message (organization_id, ticket_id, author, from_support, text) SELECT organization_id, id, 'ann@example.com', false, 'It does not open.' FROM support_ticket, generate_series(1, 5) i`,
  },
  {
    what: 'invoices',
    sql: `INSERT INTO invoice (organization_id, partner_id, sequence, number, kind, status, currency, period_from, period_until, seller, buyer, subtotal_minor, discount_minor, tax_rate_ppm, tax_minor, total_minor, credit_minor, due_minor, posted_at, due_at, paid_at)
    SELECT o.id, o.partner_id, row_number() OVER () + 100000, 'B-' || row_number() OVER (), 'month', 'paid', 'USD', m, m + interval '1 month', '{"companyName":"Fairway","contactEmail":null,"brandColor":"#3a5bff"}', '{"organizationName":"Example","address":null}', 10000, 0, 0, 0, 10000, 0, 0, m + interval '1 month', m + interval '45 days', m + interval '1 month'
    FROM organization o, generate_series(date_trunc('month', now()) - interval '24 months', date_trunc('month', now()) - interval '1 month', interval '1 month') m`,
  },
  {
    what: 'lines of invoices',
    sql: `INSERT INTO invoice_line (organization_id, invoice_id, number, kind, item_id, name, from_at, until_at, used, included, rate_units, rate_minor, monthly_minor, amount_minor, discount_minor) SELECT organization_id, id, n, CASE n WHEN 1 THEN 'plan' ELSE 'usage' END, CASE n WHEN 1 THEN 'business' ELSE 'dnsQuery' END, '{"en":"Business","zhHant":"Business","zhHans":"Business"}', period_from, period_until, CASE n WHEN 1 THEN NULL ELSE 1000 END, CASE n WHEN 1 THEN NULL ELSE 100 END, CASE n WHEN 1 THEN NULL ELSE 1000000 END, CASE n WHEN 1 THEN NULL ELSE 100 END, CASE n WHEN 1 THEN 10000 END, CASE n WHEN 1 THEN 10000 ELSE 0 END, 0 FROM invoice, generate_series(1, 4) n`,
  },
  {
    what: 'usage',
    sql: `INSERT INTO usage_day (organization_id, day, meter, site_id, domain_id, cdn_id, used) SELECT s.organization_id, d::date, m, s.id::text, '', '', 1000 FROM site s, generate_series(now() - interval '30 days', now(), interval '1 day') d, unnest('{dnsQuery,cdnTraffic,cdnRequest}'::text[]) m WHERE s.organization_id = $1`,
  },
  {
    what: 'purges',
    sql: `INSERT INTO purge (organization_id, site_id, domain_id, kind, targets, soft, requested_by, marked_at, version) SELECT organization_id, site_id, id, 'url', '{/index.html}', false, 'bench@example.com', now() - i * interval '1 hour', i FROM domain, generate_series(1, 10) i WHERE organization_id = $1`,
  },
  {
    what: 'receipts of purges',
    sql: `INSERT INTO purge_receipt (organization_id, purge_id, cdn_id, status, finished_at) SELECT organization_id, id, c, 'completed', now() FROM purge, unnest('{swiftlane,polaris}'::text[]) c`,
  },
  {
    what: 'cache rules',
    sql: `INSERT INTO cache_rule (organization_id, site_id, domain_id, type, path, expiry_value, expiry_unit, honor_origin) SELECT organization_id, site_id, id, 'directory', '/dir' || i || '/', 1, 'hour', true FROM domain, generate_series(1, 10) i`,
  },
  {
    what: 'certificates',
    sql: `INSERT INTO certificate (organization_id, site_id, type, names, problem, hindrance) SELECT organization_id, id, 'lets-encrypt', ARRAY[domain_name], 'not asked for', 'failed' FROM site`,
  },
  {
    what: 'texts of custom pages',
    sql: `INSERT INTO custom_page_text (organization_id, digest, body, size_bytes) SELECT id, 'bench', '<!doctype html><p>' || repeat('We are back soon. ', 1000) || '</p>', 18022 FROM organization`,
  },
  {
    what: 'custom pages of sites',
    sql: `INSERT INTO custom_page (organization_id, site_id, kind, name, digest) SELECT organization_id, id, k, 'Ours', 'bench' FROM site, unnest('{errors,maintenance}'::text[]) k`,
  },
  {
    what: 'bulk jobs',
    sql: `INSERT INTO bulk_job (organization_id, user_id, requested_by, source, ip, permissions, change, created_at) SELECT $1, $2, 'bench@example.com', 'console', '203.0.113.1', '{ViewSite,EditSite}', '{"tab":"security","alwaysHttps":true}', now() - i * interval '1 day' FROM generate_series(1, 50) i`,
  },
  {
    what: 'domains of bulk jobs',
    sql: `INSERT INTO bulk_item (organization_id, job_id, domain_id, site_id, name, site_name, state, version, finished_at) SELECT j.organization_id, j.id, d.id, d.site_id, d.name, s.domain_name, 'done', 2, j.created_at FROM bulk_job j JOIN domain d USING (organization_id) JOIN site s ON s.id = d.site_id`,
  },
  {
    what: 'documents of the measured sites',
    sql: `INSERT INTO outbox (organization_id, kind, key) SELECT organization_id, 'dns-zone', id::text FROM site WHERE organization_id = $1`,
  },
]

export async function fill(tx: Tx, organizationId: string, userId: string, say: (line: string) => void): Promise<void> {
  for (const { what, sql } of STEPS) {
    const startedAt = performance.now()
    // Every statement may name both; one that uses neither is given none.
    const values = [organizationId, userId].slice(0, sql.includes('$2') ? 2 : sql.includes('$1') ? 1 : 0)
    await tx.query(
      sql.includes('$2') && !sql.includes('$1') ? sql.replaceAll('$2', '$1') : sql,
      sql.includes('$2') && !sql.includes('$1') ? [userId] : values,
    )
    say(`  ${what}: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`)
  }
  // The owner's right, which the role of the transaction does not have.
  await tx.query('SET LOCAL ROLE NONE')
  await tx.query('ANALYZE')
  await tx.query('SET LOCAL ROLE fairway_system')
  await tx.query(`SELECT pg_notify('outbox', '')`)
}

/** What paths of routes name, by the parameter: several of each, so that nothing is measured from memory only. */
export async function pathValues(tx: Tx, organizationId: string, userId: string): Promise<Record<string, string[]>> {
  const column = async (sql: string, values: unknown[] = [organizationId]): Promise<string[]> =>
    (await tx.query<{ value: string }>(sql, values)).map(({ value }) => value)
  const ofOwn = (table: string) =>
    column(`SELECT id::text AS value FROM ${table} WHERE organization_id = $1 ORDER BY id LIMIT 20`)
  return {
    organization: await column('SELECT id::text AS value FROM organization ORDER BY id LIMIT 20', []),
    partner: await column('SELECT id::text AS value FROM partner', []),
    node: await column('SELECT id::text AS value FROM node ORDER BY name', []),
    letter: await column('SELECT id::text AS value FROM mail_message ORDER BY created_at DESC LIMIT 20', []),
    ticket: await ofOwn('support_ticket'),
    addon: await column('SELECT id AS value FROM addon ORDER BY id', []),
    'account.id': [userId],
    'audit-log.number': Array.from({ length: 20 }, (_, index) => String(1 + index * 100)),
    'billing.number': ['2'],
    'versions.number': ['1', '5', '29'],
    'billing.id': await ofOwn('invoice'),
    'certificates.id': await ofOwn('certificate'),
    'dns-records.id': [],
    'routing-strategies.id': [],
    'purges.id': [],
    'support-tickets.id': await column('SELECT id::text AS value FROM support_ticket WHERE user_id = $1 LIMIT 20', [
      userId,
    ]),
    provider: ['desk'],
    'teammates.id': await column(
      'SELECT id::text AS value FROM app_user WHERE organization_id = $1 AND id <> $2 LIMIT 20',
      [organizationId, userId],
    ),
    'webhooks.id': await ofOwn('webhook_endpoint'),
    'bulk-configure.id': await ofOwn('bulk_job'),
    'custom-pages.id': [],
    powerUp: ['swiftlane', 'polaris', 'tidewater'],
    type: ['cdnTraffic', 'dnsQuery'],
  }
}

/** Sites with one domain each and one of everything that hangs on them, so that the ids of one path belong together. */
export function places(tx: Tx, organizationId: string): Promise<Record<string, string>[]> {
  return tx.query(
    `SELECT s.id::text AS site, d.id::text AS domain, d.name AS host, (SELECT r.id::text FROM dns_record r WHERE r.site_id = s.id ORDER BY r.name LIMIT 1) AS "dns-records.id", (SELECT t.id::text FROM strategy t WHERE t.domain_id = d.id ORDER BY t.priority LIMIT 1) AS "routing-strategies.id",
       (SELECT p.id::text FROM purge p WHERE p.site_id = s.id ORDER BY p.created_at LIMIT 1) AS "purges.id",
       (SELECT c.id::text FROM custom_page c WHERE c.site_id = s.id ORDER BY c.kind LIMIT 1) AS "custom-pages.id"
     FROM site s JOIN domain d ON d.site_id = s.id WHERE s.organization_id = $1 ORDER BY s.id LIMIT 20`,
    [organizationId],
  )
}
