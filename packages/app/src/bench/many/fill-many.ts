import { setTimeout as sleep } from 'node:timers/promises'
import type { Database, Tx } from '@fairway/platform'

export const ZONES_EACH = 100
/** Of an organisation's zones so many have a domain that two CDNs serve. */
const STEERED_EACH = 10
const RECORDS_EACH = 5
/** Organisations of one transaction. */
const AT_ONCE = 250
const SERVED_WITHIN_MS = 7_200_000

type Step = { what: string; sql: string }

/**
 * What one organisation has, of whatever number there are: `$1` are ids, `$2` the numbers that names are made of. The
 * organisation that is measured is number 1 and has the same as the others.
 */
const STEPS: readonly Step[] = [
  {
    what: 'accounts that pay',
    sql: `UPDATE billing_account SET billed = true, billed_until = date_trunc('month', now()) WHERE organization_id = ANY($1)`,
  },
  {
    what: 'keys of beacons',
    sql: `INSERT INTO pulse (organization_id, key) SELECT o.id, 'bench-' || o.n FROM OF_ALL ON CONFLICT DO NOTHING`,
  },
  {
    what: 'users',
    sql: `INSERT INTO app_user (organization_id, email, first_name, last_name, permissions, role_ids, email_verified_at) SELECT o.id, 'user' || i || '@organisation-' || o.n || '.example', 'Ann', 'Example', '{ViewSite,EditSite}'::text[], '{site-editor}'::text[], now() FROM OF_ALL, generate_series(1, 2) i`,
  },
  {
    what: 'CDNs',
    sql: `INSERT INTO cdn (organization_id, id, name, slug, driver, category, series) SELECT o.id, c.slug, initcap(c.slug), c.slug, 'simulated', 'global-cdn', 1 FROM OF_ALL, unnest('{swiftlane,polaris}'::text[]) AS c(slug) ON CONFLICT DO NOTHING`,
  },
  {
    what: 'zones',
    sql: `INSERT INTO site (organization_id, domain_name, dns_state, claim, proven_by, version, created_at) SELECT o.id, 'zone' || i || '-of-' || o.n || '.example', 'verified', 'proven', 'delegation', 1, now() - i * interval '1 day' FROM OF_ALL, generate_series(0, ${ZONES_EACH - 1}) i`,
  },
  {
    what: 'looks at their delegation, just had',
    sql: `INSERT INTO site_task (organization_id, site_id, kind, due_at, finished_at) SELECT s.organization_id, s.id, 'nameservers', now() + interval '1 day' + random() * interval '1 hour', now() FROM site s WHERE s.organization_id = ANY($1)`,
  },
  {
    what: 'domains',
    sql: `INSERT INTO domain (organization_id, site_id, name, origin_address, origin_port, origin_protocol, host_header) SELECT s.organization_id, s.id, 'www.' || s.domain_name, '8.8.8.8', 443, 'https', 'www.' || s.domain_name FROM site s WHERE s.organization_id = ANY($1) AND s.domain_name ~ '^zone[0-${STEERED_EACH - 1}]-'`,
  },
  {
    what: 'records',
    sql: `INSERT INTO dns_record (organization_id, site_id, domain_id, type, name, value, multi_cdn) SELECT s.organization_id, s.id, d.id, 'A', 'www', '8.8.8.8', d.id IS NOT NULL FROM site s LEFT JOIN domain d ON d.site_id = s.id WHERE s.organization_id = ANY($1) UNION ALL
    SELECT s.organization_id, s.id, NULL, 'A', 'host' || i, '198.41.0.' || i, false FROM site s, generate_series(2, ${RECORDS_EACH}) i WHERE s.organization_id = ANY($1)`,
  },
  {
    what: 'attached CDNs',
    sql: `INSERT INTO domain_cdn (organization_id, site_id, domain_id, cdn_id, state, cname, wanted_version, applied_version) SELECT d.organization_id, d.site_id, d.id, c.slug, 'operational', 'x.' || c.slug || '.cdn.fairway.test', 1, 1 FROM domain d, unnest('{swiftlane,polaris}'::text[]) AS c(slug) WHERE d.organization_id = ANY($1)`,
  },
  {
    what: 'strategies',
    sql: `INSERT INTO strategy (organization_id, site_id, domain_id, priority, name, enabled, method, filter, targets, omit_rum, omit_sum, require_all_data) SELECT organization_id, site_id, id, 1, 'Fastest', true, 'best-latency', '{"places":[],"networks":[],"cidrs":[]}', '[{"cdnId":"swiftlane"},{"cdnId":"polaris"}]', false, false, false FROM domain WHERE organization_id = ANY($1)`,
  },
  {
    what: 'versions',
    sql: `INSERT INTO version (organization_id, site_id, number, title, author, source, kinds, changes) SELECT organization_id, id, 1, 'Add A www', 'user1@example.com', 'console', '{dns-zone}', jsonb_build_array(jsonb_build_object('entity', 'dns-record', 'id', id, 'label', 'A www', 'before', NULL, 'after', jsonb_build_object('value', '8.8.8.8'))) FROM site WHERE organization_id = ANY($1)`,
  },
  {
    what: 'certificates',
    sql: `INSERT INTO certificate (organization_id, site_id, type, names, problem, hindrance) SELECT organization_id, site_id, 'lets-encrypt', ARRAY[name], 'not asked for', 'failed' FROM domain WHERE organization_id = ANY($1)`,
  },
  {
    what: 'audit entries',
    sql: `INSERT INTO audit_log (organization_id, at, action, user_label, ip, source, domain, version, changes) SELECT o.id, now() - (21 - i) * interval '1 day', (ARRAY['dnsRecord.create','dnsRecord.update','strategy.update','auth.login'])[1 + i % 4], 'user1@organisation-' || o.n || '.example', '203.0.113.' || i, 'console', 'www.zone' || i % 10 || '-of-' || o.n || '.example', 1, '[{"entity":"dns-record","id":"x","label":"A www","before":null,"after":{"value":"198.41.0.4"}}]' FROM generate_series(1, 20) i, OF_ALL`,
  },
  {
    what: 'notifications',
    sql: `INSERT INTO notification (organization_id, audience, type, level, event, fields, created_at, ended_at) SELECT o.id, 'ViewSite', 'cdn', 'critical', 'cdn-down', '{"cdn":"Polaris","evidence":"2 of 3 nodes"}', now() - i * interval '1 day', now() FROM OF_ALL, generate_series(1, 10) i`,
  },
  {
    what: 'health events',
    sql: `INSERT INTO health_event (organization_id, kind, cdn_id, title, started_at, ended_at) SELECT o.id, 'cdn-down', 'polaris', 'Polaris', now() - i * interval '1 day', now() - i * interval '1 day' + interval '5 minutes' FROM OF_ALL, generate_series(1, 5) i`,
  },
  {
    what: 'letters',
    sql: `INSERT INTO mail_message (organization_id, partner_id, to_address, template, locale, fields, state, created_at) SELECT o.id, (SELECT id FROM partner WHERE host_name IS NULL), 'user1@organisation-' || o.n || '.example', 'verify-email', 'en', '{"firstName":"Ann","link":"/verify-email?token=x","hours":24}', 'sent', now() - i * interval '1 day' FROM OF_ALL, generate_series(1, 3) i`,
  },
  {
    what: 'support tickets',
    sql: `INSERT INTO support_ticket (organization_id, number, provider, subject, plan_name, user_label, modified_at) SELECT o.id, 'B' || o.n, 'embedded', 'My site is locked.', 'Business', 'user1@organisation-' || o.n || '.example', now() FROM OF_ALL`,
  },
  {
    what: 'invoices',
    sql: `INSERT INTO invoice (organization_id, partner_id, sequence, number, kind, status, currency, period_from, period_until, seller, buyer, subtotal_minor, discount_minor, tax_rate_ppm, tax_minor, total_minor, credit_minor, due_minor, posted_at, due_at, paid_at)
    SELECT o.id, p.id, 100000 + o.n * 10 + i, 'B-' || o.n || '-' || i, 'month', 'paid', 'USD', m.from, m.from + interval '1 month', '{"companyName":"Fairway","contactEmail":null,"brandColor":"#3a5bff"}', '{"organizationName":"Example","address":null}', 10000, 0, 0, 0, 10000, 0, 0, m.from + interval '1 month', m.from + interval '45 days', m.from + interval '1 month'
    FROM OF_ALL, partner p, generate_series(1, 6) i, LATERAL (SELECT date_trunc('month', now()) - i * interval '1 month' AS "from") m WHERE p.host_name IS NULL`,
  },
]

const OF_ALL = 'unnest($1::uuid[], $2::int[]) AS o(id, n)'

/**
 * Fills an installation by SQL with `organizations` organisations of a hundred zones each, the one with `organizationId`
 * among them, as they are when nothing is left to do for the worker; but the zones are not published.
 */
export async function fillMany(
  database: Database,
  organizationId: string,
  organizations: number,
  say: (line: string) => void,
): Promise<void> {
  const took = new Map<string, number>()
  const others = await database.system((tx) =>
    tx.query<{ id: string; n: number }>(
      `INSERT INTO organization (name, plan_id, code, partner_id, plan_chosen_at, industry, job_title) SELECT 'Organisation ' || i, 'business', '', (SELECT id FROM partner WHERE host_name IS NULL), now(), 'Media', 'Engineer' FROM generate_series(2, $1::int) i RETURNING id, split_part(name, ' ', 2)::int AS n`,
      [organizations],
    ),
  )
  const all = [{ id: organizationId, n: 1 }, ...others]
  for (let at = 0; at < all.length; at += AT_ONCE) {
    const some = all.slice(at, at + AT_ONCE)
    const [ids, numbers] = [some.map(({ id }) => id), some.map(({ n }) => n)]
    await database.system(async (tx) => {
      for (const { what, sql } of STEPS) {
        const started = performance.now()
        const text = sql.replaceAll('OF_ALL', OF_ALL)
        await tx.query(text, text.includes('$2') ? [ids, numbers] : [ids])
        took.set(what, (took.get(what) ?? 0) + performance.now() - started)
      }
    })
  }
  for (const [what, ms] of took) say(`  ${what}: ${(ms / 1000).toFixed(1)} s`)
  await database.system(analyze)
}

/** The owner's right, which the role of the transaction does not have. */
async function analyze(tx: Tx): Promise<void> {
  await tx.query('SET LOCAL ROLE NONE')
  await tx.query('ANALYZE')
  await tx.query('SET LOCAL ROLE fairway_system')
}

/** Has the worker build the documents of one organisation's zones, and waits until they are published. */
export async function publishOwn(database: Database, organizationId: string): Promise<void> {
  await database.system(async (tx) => {
    await tx.query(
      `INSERT INTO outbox (organization_id, kind, key) SELECT organization_id, 'dns-zone', id::text FROM site WHERE organization_id = $1`,
      [organizationId],
    )
    await tx.query(`SELECT pg_notify('outbox', '')`)
  })
  for (;;) {
    const [row] = await database.system((tx) =>
      tx.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM publication WHERE kind = 'dns-zone' AND organization_id = $1 AND key NOT LIKE 'system:%'`,
        [organizationId],
      ),
    )
    if ((row?.n ?? 0) >= ZONES_EACH) return
    await sleep(100)
  }
}

/**
 * Publishes the zones of others, `organizations` of them at most: the documents that the worker built of one, under the
 * names of the others. One by one the worker would take milliseconds for each, which is not what is measured.
 */
export async function publishOthers(
  database: Database,
  organizationId: string,
  organizations: number,
): Promise<number> {
  return database.system(async (tx) => {
    const [row] = await tx.query<{ n: number }>(
      `WITH made AS (
         SELECT s.id, s.organization_id, row_number() OVER (ORDER BY s.organization_id, s.id) AS number,
           replace(replace(replace(replace(replace(p.body::text, p.key, s.id::text), p.organization_id::text, s.organization_id::text), own.domain_name, s.domain_name),
             coalesce(p.body #>> '{policies,0,id}', '-no-'), left(md5(s.id::text), 16)), coalesce(p.body #>> '{steered,0,domainId}', '-no-'), coalesce(d.id::text, '')) AS body
         FROM site s LEFT JOIN domain d ON d.site_id = s.id JOIN site own ON own.organization_id = $1 AND own.domain_name = split_part(s.domain_name, '-', 1) || '-of-1.example'
           JOIN publication p ON p.kind = 'dns-zone' AND p.key = own.id::text
         WHERE s.organization_id IN (SELECT id FROM organization WHERE id <> $1 AND name LIKE 'Organisation %' ORDER BY split_part(name, ' ', 2)::int LIMIT $2)),
       counted AS (UPDATE publication_counter SET revision = revision + (SELECT count(*) FROM made) RETURNING revision),
       written AS (INSERT INTO publication (kind, key, organization_id, revision, version, body)
         SELECT 'dns-zone', m.id::text, m.organization_id, c.revision - (SELECT count(*) FROM made) + m.number, 1, m.body::jsonb FROM made m, counted c RETURNING 1)
       SELECT count(*)::int AS n FROM written`,
      [organizationId, organizations - 1],
    )
    await tx.query(`SELECT pg_notify('publication', '')`)
    return row?.n ?? 0
  })
}

/** Until so many name servers have confirmed every zone that is published. */
export async function untilServed(database: Database, say: (line: string) => void, nodes = 1): Promise<void> {
  const began = performance.now()
  for (let told = began; ; await sleep(1_000)) {
    const [row] = await database.system((tx) =>
      tx.query<{ published: number; served: number }>(
        `SELECT (SELECT count(*)::int FROM publication WHERE kind = 'dns-zone' AND body IS NOT NULL) AS published, (SELECT count(*)::int FROM node_version v JOIN node n ON n.id = v.node_id AND n.role = 'dns' WHERE v.kind = 'dns-zone' AND v.ok) AS served`,
      ),
    )
    const [published, served] = [(row?.published ?? 0) * nodes, row?.served ?? 0]
    if (served >= published) return
    if (performance.now() - began > SERVED_WITHIN_MS) throw new Error(`${served} of ${published} are served`)
    if (performance.now() - told > 60_000) {
      told = performance.now()
      say(`  ${served} of ${published} are served`)
    }
  }
}
