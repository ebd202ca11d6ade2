import type {
  AuthorityId,
  CertificateDetails,
  CertificateType,
  ChallengeType,
  EdgeChallenges,
  IssueStep,
  PublicationKind,
  Site,
} from '@fairway/contract'
import { covers } from '@fairway/domain'
import type { Challenge } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'

export type CertificateRow = {
  id: string
  organization_id: string
  site_id: string
  site_name: string
  dns_state: Site['dnsState']
  chosen_challenge: ChallengeType | null
  challenge: ChallengeType | null
  type: CertificateType
  names: string[]
  chain_pem: string | null
  sealed_key: string | null
  details: CertificateDetails | null
  not_after: Date | null
  imported_at: Date | null
  step: IssueStep | null
  order_url: string | null
  order_key: string | null
  order_began_at: Date | null
  wanted_version: number | null
  problem: string | null
  hindrance: 'waiting' | 'failed' | null
  /** It is due, and waits until the authority takes orders of the house again, or for its turn among first orders. */
  kept_back: 'held' | 'full' | null
  attempts: number
  next_attempt_at: Date | null
  told_days: number | null
  served: boolean
  removed_at: Date | null
  created_at: Date
}

/**
 * First orders of all customers that were made at an authority within three hours: of the 300 that Let's Encrypt takes
 * of an account in that time (https://letsencrypt.org/docs/rate-limits/) the rest is for renewals, and for the names of
 * the house. What a person renews by hand is counted as a first one, and waits as those do, unless it is revoked or
 * would soon be renewed by itself.
 */
const FIRST_ORDERS = 200
/**
 * An organisation makes first orders until it has a sixth of what all have left: 29 where nobody else makes any. However
 * many take what they may, some are left for who has made none yet.
 */
const SHARE = 6
const IS_FIRST = `(c.chain_pem IS NULL OR (c.by_hand AND c.revoked_at IS NULL AND c.not_after > now() + greatest(interval '7 days', (c.not_after - coalesce(c.valid_from, c.not_after)) / 3)))`
const IS_HELD = 'c.type IN (SELECT authority FROM acme_account WHERE held_until > now())'
const LATELY_FIRST = `FROM acme_order WHERE is_first AND at > now() - interval '3 hours'`
const WAITS_ITS_TURN = `(${IS_FIRST} AND (c.type IN (SELECT authority ${LATELY_FIRST} GROUP BY authority HAVING count(*) >= ${FIRST_ORDERS})
  OR (c.type, c.organization_id) IN (SELECT authority, organization_id FROM (SELECT authority, organization_id, count(*) AS own, sum(count(*)) OVER (PARTITION BY authority) AS made ${LATELY_FIRST} GROUP BY authority, organization_id) AS orders WHERE own * ${SHARE} >= ${FIRST_ORDERS} - made)))`

/** One that a worker has just now is tried. */
const KEPT_BACK = `CASE WHEN c.step = 'order' AND (c.leased_until IS NULL OR c.leased_until < now()) AND c.next_attempt_at <= now() THEN CASE WHEN ${IS_HELD} THEN 'held' WHEN ${WAITS_ITS_TURN} THEN 'full' END END`
const ROW = `c.*, ${KEPT_BACK} AS kept_back, s.domain_name AS site_name, s.dns_state FROM certificate c JOIN site s ON s.id = c.site_id`

export async function certificateById(tx: Tx, id: string, lock = false): Promise<CertificateRow | undefined> {
  return (
    await tx.query<CertificateRow>(
      `SELECT ${ROW} WHERE c.id = $1 AND c.removed_at IS NULL ${lock ? 'FOR UPDATE OF c' : ''}`,
      [id],
    )
  )[0]
}

export type ListWanted = {
  site: string | undefined
  search: string | undefined
  order: string
  limit: number | null
  offset: number
}

export async function listCertificates(
  tx: Tx,
  { site, search, order, limit, offset }: ListWanted,
): Promise<{ rows: CertificateRow[]; total: number }> {
  const rows = await tx.query<CertificateRow & { total: number }>(
    `SELECT count(*) OVER ()::int AS total, ${ROW} WHERE c.removed_at IS NULL AND ($1::uuid IS NULL OR c.site_id = $1) AND ($2::text IS NULL OR EXISTS (SELECT FROM unnest(c.names) AS name WHERE position(lower($2) IN name) > 0))
     ORDER BY ${order}, c.id LIMIT $3 OFFSET $4`,
    [site ?? null, search ?? null, limit, offset],
  )
  return { rows, total: rows[0]?.total ?? 0 }
}

/** Is there one for exactly these names that is served or on its way? */
export async function hasCertificateFor(tx: Tx, siteId: string, names: readonly string[]): Promise<boolean> {
  return (
    (
      await tx.query(
        `SELECT FROM certificate WHERE site_id = $1 AND removed_at IS NULL AND hindrance IS DISTINCT FROM 'failed' AND names @> $2 AND names <@ $2 AND (not_after IS NULL OR not_after > now())`,
        [siteId, names],
      )
    ).length > 0
  )
}

/** Has the authority refused an order of this site for now, because there were too many? */
export async function isWaitingFor(tx: Tx, siteId: string, authority: AuthorityId, now: Date): Promise<boolean> {
  const waiting = await tx.query(
    `SELECT FROM certificate WHERE site_id = $1 AND type = $2 AND removed_at IS NULL AND hindrance = 'waiting' AND next_attempt_at > $3 LIMIT 1`,
    [siteId, authority, now],
  )
  return waiting.length > 0
}

/** Whether a certificate that is valid now is served for this name; `except` as if that one were gone. */
export async function isServedOverTls(
  tx: Tx,
  siteId: string,
  name: string,
  now: Date,
  except: string | null = null,
): Promise<boolean> {
  const rows = await tx.query<{ names: string[] }>(
    'SELECT names FROM certificate WHERE site_id = $1 AND removed_at IS NULL AND chain_pem IS NOT NULL AND not_after > $2 AND id IS DISTINCT FROM $3::uuid',
    [siteId, now, except],
  )
  return rows.some(({ names }) => covers(names, name))
}

/** Domains with *always HTTPS* that only this certificate answers for. */
export async function heldByAlone(tx: Tx, { id, site_id }: CertificateRow, now: Date): Promise<string[]> {
  const domains = await tx.query<{ name: string }>(
    'SELECT name FROM domain WHERE site_id = $1 AND removed_at IS NULL AND always_https ORDER BY name',
    [site_id],
  )
  const held: string[] = []
  for (const { name } of domains) {
    if ((await isServedOverTls(tx, site_id, name, now)) && !(await isServedOverTls(tx, site_id, name, now, id)))
      held.push(name)
  }
  return held
}

export type NewCertificate = { organizationId: string; siteId: string; type: CertificateType; names: string[] }

/** The account at an authority is the house's, with limits for all of it: nobody uses them up alone. */
const ORDERS_A_DAY = 50

/** Whether an organisation may begin one more order today; it is counted with it. */
export async function takesOrder(tx: Tx, organizationId: string): Promise<boolean> {
  const [row] = await tx.query<{ orders: number }>(
    `UPDATE organization SET certificate_day = current_date, certificate_orders = CASE WHEN certificate_day = current_date THEN certificate_orders ELSE 0 END + 1
     WHERE id = $1 RETURNING certificate_orders AS orders`,
    [organizationId],
  )
  return (row?.orders ?? 0) <= ORDERS_A_DAY
}

/** A certificate whose order begins at once. */
export async function insertOrdered(
  tx: Tx,
  { organizationId, siteId, type, names }: NewCertificate,
  proof: { chosen: ChallengeType | null; challenge: ChallengeType },
  orderKey: string,
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO certificate (organization_id, site_id, type, names, step, order_key, next_attempt_at, chosen_challenge, challenge) VALUES ($1, $2, $3, $4, 'order', $5, now(), $6, $7) RETURNING id`,
    [organizationId, siteId, type, names, orderKey, proof.chosen, proof.challenge],
  )
  await tx.query(`SELECT pg_notify('certificate', '')`)
  return rows[0]?.id ?? ''
}

export async function insertUploaded(
  tx: Tx,
  { organizationId, siteId, type, names }: NewCertificate,
  held: { chainPem: string; sealedKey: string; details: CertificateDetails },
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO certificate (organization_id, site_id, type, names, chain_pem, sealed_key, details, not_after, valid_from, imported_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, now()) RETURNING id`,
    [
      organizationId,
      siteId,
      type,
      names,
      held.chainPem,
      held.sealedKey,
      JSON.stringify(held.details),
      held.details.notAfter,
      held.details.notBefore,
    ],
  )
  return rows[0]?.id ?? ''
}

/** Names under `_acme-challenge` that the zone answers now, for its own names and for the console's in it. */
export async function recordChallengesOf(tx: Tx, siteId: string): Promise<{ name: string; value: string }[]> {
  return tx.query(
    `SELECT name, value FROM acme_challenge WHERE site_id = $1 AND token IS NULL
     UNION SELECT c->>'name', c->>'value' FROM console_certificate, jsonb_array_elements(challenges) AS c WHERE site_id = $1 AND c->>'type' = 'dns-01' ORDER BY 1, 2`,
    [siteId],
  )
}

/** Files under `/.well-known/acme-challenge/` that the edge answers now. */
export async function fileChallengesOf(tx: Tx, siteId: string): Promise<EdgeChallenges['challenges']> {
  return tx.query(
    'SELECT DISTINCT name AS host, token, value AS "keyAuthorization" FROM acme_challenge WHERE site_id = $1 AND token IS NOT NULL ORDER BY host, token',
    [siteId],
  )
}

/** Replaces the challenges of an order. Answers which documents must be published for it. */
export async function replaceChallenges(
  tx: Tx,
  { id, organization_id, site_id }: Pick<CertificateRow, 'id' | 'organization_id' | 'site_id'>,
  challenges: readonly Extract<Challenge, { type: ChallengeType }>[],
): Promise<PublicationKind[]> {
  const gone = await tx.query<{ token: string | null }>(
    'DELETE FROM acme_challenge WHERE certificate_id = $1 RETURNING token',
    [id],
  )
  for (const challenge of challenges) {
    await tx.query(
      'INSERT INTO acme_challenge (organization_id, site_id, certificate_id, name, value, token) VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING',
      [
        organization_id,
        site_id,
        id,
        challenge.name,
        challenge.value,
        challenge.type === 'http-01' ? challenge.token : null,
      ],
    )
  }
  const types = new Set<ChallengeType>([
    ...gone.map(({ token }) => (token === null ? ('dns-01' as const) : ('http-01' as const))),
    ...challenges.map(({ type }) => type),
  ])
  return [...types].map((type) => PROOF_DOCUMENTS[type])
}

/** Where the challenges of each type are answered from. */
export const PROOF_DOCUMENTS: Record<ChallengeType, PublicationKind> = {
  'dns-01': 'dns-zone',
  'http-01': 'edge-challenges',
}

export type TakenCertificate = CertificateRow & { leased_until: Date; is_first: boolean }

/** Days after which nobody asks any more how many orders were made. */
const ORDERS_KEPT_DAYS = 7

/** An order that an authority has taken is counted, whatever becomes of its certificate. */
export async function noteOrder(
  tx: Tx,
  { type, organization_id, is_first }: Pick<TakenCertificate, 'type' | 'organization_id' | 'is_first'>,
): Promise<void> {
  await tx.query('INSERT INTO acme_order (authority, organization_id, is_first) VALUES ($1, $2, $3)', [
    type,
    organization_id,
    is_first,
  ])
}

export async function forgetOrders(tx: Tx): Promise<void> {
  await tx.query('DELETE FROM acme_order WHERE at < now() - make_interval(days => $1)', [ORDERS_KEPT_DAYS])
}

/**
 * The authority takes no orders of the whole account until then; kept to for three hours at the most, the time in which
 * it counts them.
 */
export async function holdAuthority(tx: Tx, authority: CertificateType, until: Date): Promise<void> {
  await tx.query(
    `UPDATE acme_account SET held_until = greatest(held_until, least($2, now() + interval '3 hours')) WHERE authority = $1`,
    [authority, until],
  )
}

/**
 * Since when an order is tried, when it is taken. Nothing is ordered in the first step, and one that is tried comes
 * back within a minute: what nobody took for longer was kept back, and its time begins anew.
 */
export const ORDER_BEGAN_AT = `CASE WHEN step = 'order' AND greatest(next_attempt_at, leased_until) < now() - interval '3 minutes' THEN now() ELSE least(order_began_at, now()) END`

/** Orders at an authority that are due, leased to this worker. */
export async function takeDue(
  tx: Tx,
  authority: AuthorityId,
  limit: number,
  leaseSeconds: number,
): Promise<TakenCertificate[]> {
  const ids = await tx.query<{ id: string; leased_until: Date }>(
    `UPDATE certificate SET leased_until = date_trunc('milliseconds', now()) + make_interval(secs => $2), order_began_at = ${ORDER_BEGAN_AT}
     WHERE id IN (SELECT c.id FROM certificate c WHERE c.type = $3 AND c.removed_at IS NULL AND c.order_key IS NOT NULL AND c.step IN ('order', 'publish', 'validate') AND c.next_attempt_at <= now() AND (c.leased_until IS NULL OR c.leased_until < now())
       AND (c.step <> 'order' OR NOT (${IS_HELD} OR ${WAITS_ITS_TURN}))
       ORDER BY c.next_attempt_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     RETURNING id, leased_until`,
    [limit, leaseSeconds, authority],
  )
  if (ids.length === 0) return []
  const leases = new Map(ids.map((row) => [row.id, row.leased_until]))
  const rows = await tx.query<CertificateRow & { is_first: boolean }>(
    `SELECT ${IS_FIRST} AS is_first, ${ROW} WHERE c.id = ANY($1)`,
    [[...leases.keys()]],
  )
  return rows.map((row) => ({ ...row, leased_until: leases.get(row.id) ?? new Date(0) }))
}

/** The end of a lease that goes on; undefined when it is another worker's by now. */
export async function renewLease(
  tx: Tx,
  { id, leased_until }: Pick<TakenCertificate, 'id' | 'leased_until'>,
  seconds: number,
): Promise<Date | undefined> {
  const [row] = await tx.query<{ leased_until: Date }>(
    `UPDATE certificate SET leased_until = date_trunc('milliseconds', now()) + make_interval(secs => $3) WHERE id = $1 AND leased_until = $2 RETURNING leased_until`,
    [id, leased_until, seconds],
  )
  return row?.leased_until
}

/**
 * Times that a clock which was ahead has written, further away than anything is put off, are now. What people were told
 * too early is told again in its time.
 */
export async function mendTimesAhead(tx: Tx): Promise<void> {
  for (const table of ['certificate', 'console_certificate', 'stream_certificate'])
    await tx.query(
      `UPDATE ${table} SET next_attempt_at = now(), leased_until = NULL WHERE step IN ('order', 'publish', 'validate')
         AND (leased_until > now() + interval '10 minutes' OR next_attempt_at > now() + CASE hindrance WHEN 'waiting' THEN interval '8 days' WHEN 'failed' THEN interval '7 hours' ELSE interval '10 minutes' END)`,
    )
  await tx.query(`UPDATE certificate SET window_next_at = now() WHERE window_next_at > now() + interval '25 hours'`)
  await tx.query(
    `UPDATE certificate SET staple_next_at = now() WHERE staple_next_at > greatest(staple_until, now() + interval '2 hours')`,
  )
  await tx.query(
    `UPDATE certificate SET told_days = NULL WHERE chain_pem IS NOT NULL AND not_after > now() + make_interval(days => told_days + 1)`,
  )
  await tx.query(`UPDATE acme_account SET held_until = NULL WHERE held_until > now() + interval '4 hours'`)
  await tx.query('UPDATE acme_order SET at = now() WHERE at > now()')
}

/** Served certificates of authorities whose time to be renewed has come. */
export async function dueForRenewal(tx: Tx): Promise<{ id: string }[]> {
  return tx.query(
    `SELECT id FROM certificate WHERE removed_at IS NULL AND chain_pem IS NOT NULL AND order_key IS NULL AND imported_at IS NULL AND next_attempt_at <= now() FOR UPDATE SKIP LOCKED LIMIT 100`,
  )
}

export async function beginRenewal(tx: Tx, id: string, orderKey: string): Promise<void> {
  await tx.query(
    `UPDATE certificate SET step = 'order', order_key = $2, order_url = NULL, order_began_at = NULL, by_hand = false, attempts = 0, leased_until = NULL WHERE id = $1`,
    [id, orderKey],
  )
}

export async function waitingForDeploy(
  tx: Tx,
): Promise<{ id: string; site_id: string; wanted_version: number; problem: string | null }[]> {
  return tx.query(
    `SELECT id, site_id, wanted_version, problem FROM certificate WHERE step = 'deploy' AND wanted_version IS NOT NULL`,
  )
}

/**
 * Sites of whose certificates one has ended or begun to be good since they were published, where another may be shown
 * instead.
 */
export async function sitesToChooseAnew(tx: Tx): Promise<{ organization_id: string; site_id: string; name: string }[]> {
  return tx.query(
    `SELECT c.organization_id, c.site_id, min(c.names[1]) AS name FROM certificate c JOIN publication p ON p.kind = 'edge-certificates' AND p.key = c.site_id::text
     WHERE c.chain_pem IS NOT NULL AND p.body IS NOT NULL AND ((c.not_after <= now() AND c.not_after > p.published_at) OR (c.valid_from <= now() AND c.valid_from > p.published_at))
       AND EXISTS (SELECT FROM certificate o WHERE o.site_id = c.site_id AND o.id <> c.id AND o.chain_pem IS NOT NULL)
       AND NOT EXISTS (SELECT FROM outbox x WHERE x.kind = 'edge-certificates' AND x.key = c.site_id::text)
     GROUP BY c.organization_id, c.site_id LIMIT 100`,
  )
}

/** Only one worker at a time makes versions for what is shown; answers whether it is this one. */
export async function takesChoosing(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ got: boolean }>(
    `SELECT pg_try_advisory_xact_lock(hashtextextended('choose-certificates', 0)) AS got`,
  )
  return row?.got === true
}

export type UnnamedSite = { organization_id: string; site_id: string; name: string }

const UNNAMED = `FROM publication p JOIN site s ON s.id::text = p.key
     WHERE p.kind = 'edge-certificates' AND p.body IS NOT NULL AND NOT p.body ? 'domain' AND NOT EXISTS (SELECT FROM outbox x WHERE x.kind = p.kind AND x.key = p.key)`

/** Sites whose documents do not name their domain yet, by id from the one after `after`. */
export async function sitesWithoutDomain(tx: Tx, after: string, limit: number): Promise<UnnamedSite[]> {
  return tx.query(
    `SELECT s.organization_id, s.id AS site_id, s.domain_name AS name ${UNNAMED} AND s.id > $1 ORDER BY s.id LIMIT $2`,
    [after, limit],
  )
}

/** Holds one of them, unless somebody else does just now, or its document is named by now or gone. */
export async function holdUnnamed(tx: Tx, siteId: string): Promise<'ours' | 'held' | 'done'> {
  const [site] = await tx.query<{ is_ours: boolean }>(
    `WITH ours AS (SELECT id FROM site WHERE id = $1 FOR NO KEY UPDATE SKIP LOCKED)
     SELECT EXISTS (SELECT FROM ours) AS is_ours ${UNNAMED} AND s.id = $1`,
    [siteId],
  )
  if (!site) return 'done'
  return site.is_ours ? 'ours' : 'held'
}

/** Documents with certificates that publishers have still to make. */
export async function unpublished(tx: Tx): Promise<number> {
  const [row] = await tx.query<{ waiting: number }>(
    `SELECT count(*)::int AS waiting FROM outbox WHERE kind = 'edge-certificates' AND due_at <= now()`,
  )
  return row?.waiting ?? 0
}

/** Certificates near their end, or past it, of which people may have to be told. */
export async function toldAbout(tx: Tx): Promise<CertificateRow[]> {
  return tx.query<CertificateRow>(
    `SELECT ${ROW} WHERE c.removed_at IS NULL AND c.not_after < now() + interval '30 days' AND coalesce(c.told_days, 31) > 0 LIMIT 1000`,
  )
}
