import { exportZone } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import type { SiteRow } from '../../http/context.ts'
import { NAMED_BY, apexRrsets } from '../../publish/nameservers.ts'
import { recordsOfSite } from '../dns-records/store.ts'

/**
 * What the owner is handed of the organisation's rows: each table, and the columns that stay here, as secrets, their
 * hashes, and pictures do. A table that is neither here nor in `NOT_EXPORTED` fails a test.
 */
export const EXPORTED: Readonly<Record<string, readonly string[]>> = {
  organization: ['closing_by', 'closing_problem'],
  access_entry: [],
  addon_subscription: [],
  api_key: ['secret_hash', 'prefix'],
  api_schema: [],
  api_schema_learned: [],
  app_user: ['password_hash'],
  audit_log: [],
  billing_account: [],
  bot_management: [],
  bulk_item: [],
  bulk_job: [],
  byo_cdn_key: ['sealed', 'fingerprint'],
  cache_rule: [],
  cdn: ['logo'],
  cdn_review: [],
  certificate: ['sealed_key', 'order_key', 'order_url', 'staple', 'challenge'],
  challenge_friction: [],
  challenge_softening: [],
  coupon_redemption: [],
  credit_grant: ['granted_by'],
  credit_use: [],
  crs_rules: [],
  custom_page: [],
  custom_page_text: [],
  dem_view: [],
  dns_record: [],
  dns_secondary: ['secret_sealed'],
  domain: [],
  domain_cdn: [],
  found_record: [],
  health_event: [],
  invitation: ['letter'],
  invoice: [],
  invoice_line: [],
  invoice_usage: [],
  monitoring_cdn: [],
  no_cache_rule: [],
  notification: [],
  notification_preference: [],
  notification_unhooked: [],
  outside_feed: ['key_sealed', 'old_key_sealed'],
  passkey: ['credential_id', 'public_key'],
  payment: [],
  plan_period: [],
  pulse: [],
  purge: [],
  purge_receipt: [],
  route_change: [],
  security_rule: [],
  session: ['secret_hash'],
  shield_region: [],
  shield_route: [],
  site: ['proof_token'],
  site_dnssec: [],
  site_primary: ['secret_sealed'],
  strategy: [],
  stream_asset: ['upload_in'],
  stream_balancer: [],
  stream_caption: [],
  stream_cloudfront: ['grant_id'],
  stream_live: ['key_hash', 'test_picture'],
  stream_peers: [],
  stream_recording: [],
  stream_signing: [],
  stream_signing_key: [],
  stream_thumbnail: ['picture'],
  support_message: [],
  support_ticket: [],
  usage_day: [],
  user_identity: ['subject'],
  version: [],
  vsr_rule: [],
  webhook_endpoint: ['secret', 'previous_secret'],
  weekly_report: [],
  zone_key: ['private_key_sealed'],
  zone_transfer: [],
}

/** Tables with rows of persons: the owner has their own of these, not their colleagues'. */
export const PERSONAL: ReadonlySet<string> = new Set([
  'api_key',
  'dem_view',
  'notification',
  'notification_preference',
  'passkey',
  'session',
  'user_identity',
  'weekly_report',
])
/** What colleagues have told about themselves alone. */
const OWN_DETAILS = ['phone_number', 'country_code', 'timezone_code']

/** Columns that are called like secrets and are none. */
export const NO_SECRETS: readonly string[] = [
  'app_user.password_changed_at',
  'audit_log.hash',
  'billing_account.payment_method_ref',
  'payment.payment_method_ref',
  'stream_signing_key.public_key',
  'zone_key.public_key',
]

/** Tables with rows of organisations that are not handed out, and why. */
export const NOT_EXPORTED: Readonly<Record<string, string>> = {
  acme_challenge: 'proofs of an order, gone when it ends',
  acme_order: "counts the orders of the house's accounts",
  app_token: 'links for one use',
  claimed_name: 'which names are held for whom; sites tell their own',
  history_day: 'a counter of one day',
  mail_message: 'letters wait here to be sent; what they told is among the notifications',
  notification_pace: 'counts letters of one hour',
  notification_read: 'who has read what',
  notification_reader: 'who has read what',
  origin_time: 'measurements of minutes between nodes',
  outbox: 'what waits to be published',
  publication: 'made of the rows that are exported',
  pulse_old_key: 'keys that ended',
  recovery_code: 'secrets',
  shield_count: 'counters of a day',
  sign_in_place: 'hashes of places',
  site_task: 'work that is under way',
  stream_download: 'work that is under way',
  stream_gone: 'what is being removed',
  stream_job: 'work that is under way',
  stream_run: 'work that is under way',
  totp: 'secrets',
  vendor_traffic: 'how far figures of vendors were read',
  webhook_delivery: 'what waits to be sent; the events are among the notifications',
}

const ABOUT =
  'Rows by table, as they are stored, and each zone as a zone file. Not in it: secrets and keys, pictures, the files of videos, and raw logs of DNS and HTTP requests, which are kept for a short time only (data feeds send them while they come).'
const BATCH = 1_000
const BATCH_BYTES = 4 << 20

/** The organisation, and its owner. */
type Whose = { organizationId: string; userId: string }
type Read = <T>(work: (tx: Tx) => Promise<T>) => Promise<T>

/**
 * Everything as lines of JSON. Each batch is read in a transaction of its own, bounded in rows and bytes: whoever reads
 * slowly holds nothing.
 */
export async function* exportOf(config: Config, read: Read, whose: Whose, now: Date): AsyncGenerator<string> {
  yield line({ export: { organization: whose.organizationId, at: now.toISOString(), about: ABOUT } })
  for (const [table, without] of Object.entries(EXPORTED)) yield* tableOf(read, whose, table, without)
  const sites = await read((tx) => tx.query<{ id: string }>('SELECT id FROM site ORDER BY domain_name'))
  for (const { id } of sites) {
    const text = await read((tx) => zoneOf(tx, config, id))
    if (text !== null) yield line(text)
  }
}

/** Keys are also in rules, and in what was recorded of them. */
const isSealed = (name: string): boolean => /^sealed|_sealed$/.test(name)
const line = (value: unknown): string =>
  `${JSON.stringify(value, (name, inner: unknown) => (isSealed(name) ? undefined : inner))}\n`

async function* tableOf(
  read: Read,
  { organizationId, userId }: Whose,
  table: string,
  without: readonly string[],
): AsyncGenerator<string> {
  const key = await read((tx) => keyOf(tx, table))
  const owner = table === 'organization' ? 'id' : 'organization_id'
  const names = key.map(({ name }) => name).join(', ')
  const after = key.map(({ type }, index) => `$${index + 4}::text::${type}`).join(', ')
  const others = table === 'app_user' ? `CASE WHEN id = $3 THEN '{}' ELSE '{${OWN_DETAILS.join(',')}}' END` : `'{}'`
  const whose = PERSONAL.has(table)
    ? `(user_id = $3 ${table === 'notification' ? 'OR user_id IS NULL' : ''})`
    : '$3::uuid IS NOT NULL'
  // What is for those who run the installation is not for the organisation that they happen to be in.
  const audience = table === 'notification' ? `AND audience IS DISTINCT FROM 'operator'` : ''
  for (let last: string[] | null = null; ;) {
    const from: string[] | null = last
    const rows: { key: string[]; row: unknown; found: number }[] = await read((tx) =>
      tx.query(
        `SELECT key, row, found FROM (
           SELECT key, row, count(*) OVER ()::int AS found, sum(octet_length(row::text)) OVER (ORDER BY place) - octet_length(row::text) AS before
           FROM (SELECT ARRAY[${key.map(({ name }) => `${name}::text`).join(', ')}] AS key, to_jsonb(t) - $2::text[] - ${others}::text[] AS row, row_number() OVER (ORDER BY ${names}) AS place
             FROM ${table} t WHERE ${owner} = $1 AND ${whose} ${audience} ${from ? `AND (${names}) > (${after})` : ''} ORDER BY ${names} LIMIT ${BATCH}) AS next
         ) AS fitting WHERE before < ${BATCH_BYTES}`,
        [organizationId, without, userId, ...(from ?? [])],
      ),
    )
    yield rows.map(({ row }) => line({ table, row })).join('')
    if (rows.length < BATCH && rows.length === (rows[0]?.found ?? 0)) return
    last = rows.at(-1)?.key ?? null
  }
}

/** The primary key, by which rows are read on. */
const keyOf = (tx: Tx, table: string): Promise<{ name: string; type: string }[]> =>
  tx.query(
    `SELECT quote_ident(a.attname) AS name, format_type(a.atttypid, a.atttypmod) AS type
     FROM pg_index i, unnest(i.indkey) WITH ORDINALITY AS k (number, place), pg_attribute a
     WHERE i.indrelid = $1::regclass AND i.indisprimary AND a.attrelid = i.indrelid AND a.attnum = k.number ORDER BY k.place`,
    [table],
  )

async function zoneOf(tx: Tx, config: Config, id: string): Promise<{ zoneFile: string; text: string } | null> {
  const [site] = await tx.query<SiteRow>(
    `SELECT id, organization_id, domain_name, version, ${NAMED_BY} FROM site s WHERE id = $1`,
    [id],
  )
  if (!site) return null
  const text = exportZone('bind', await recordsOfSite(tx, id), {
    name: site.domain_name,
    apex: apexRrsets(config, site, site.domain_name, Math.max(1, site.version)),
  })
  return { zoneFile: site.domain_name, text }
}
