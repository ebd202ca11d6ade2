import type { ClaimProof, ClaimReason } from '@fairway/contract'
import { type ClaimNow, type ClaimStep, KEPT_DAYS, type NameserverPair } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { NAMED_BY, type NamedBy } from '../../publish/nameservers.ts'

export type ClaimState = 'draft' | ClaimNow['state']
export type ClaimRow = {
  id: string
  organization_id: string
  domain_name: string
  claim: ClaimState
  claim_reason: ClaimReason | null
  claim_since: Date
  claimed_at: Date
  proven_by: ClaimProof | null
  proof_token: string
} & NamedBy

/** Columns of a site `s` that say how its name is held. */
export const CLAIM_COLUMNS = `s.claim, s.claim_reason, s.claim_since, s.claimed_at, s.proven_by, s.proof_token, ${NAMED_BY}`

export type HolderRow = {
  organization_id: string
  nameserver_pair: NameserverPair
  claimed_at: Date | null
  proven_by: ClaimProof | null
  ended_at: Date | null
  reserved_until: Date | null
}

/** By the index of reversed names: those below one are together, from its dot up to what stands behind a dot. */
export const CLAIMS_AROUND = `SELECT s.id, s.organization_id, s.domain_name, ${CLAIM_COLUMNS} FROM site s
  WHERE s.domain_name = ANY($1) OR (reverse(s.domain_name) ~>=~ ($2 || '.') AND reverse(s.domain_name) ~<~ ($2 || '/'))`

/** Names at, above and below each other have their last two labels in common. */
const CLAIM_LOCK_LABELS = 2

/**
 * Claims of any organisation at, above or below a name. Whoever changes what claims to such names say does so one after
 * the other, and not while the house's own zones change.
 */
export async function claimsAround(tx: Tx, name: string): Promise<ClaimRow[]> {
  const labels = name.split('.')
  const above = labels.map((_, index) => labels.slice(index).join('.'))
  await tx.query('SELECT pg_advisory_xact_lock_shared(4713)')
  await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 4713))', [
    `claims ${labels.slice(-CLAIM_LOCK_LABELS).join('.')}`,
  ])
  return tx.query<ClaimRow>(CLAIMS_AROUND, [above, [...name].reverse().join('')])
}

/** Times of claims are the database's, and so is the one that they are compared with. */
export async function databaseNow(tx: Tx): Promise<Date> {
  return (await tx.query<{ now: Date }>('SELECT now()'))[0]?.now ?? new Date()
}

export async function claimOf(tx: Tx, siteId: string): Promise<ClaimRow | undefined> {
  return (
    await tx.query<ClaimRow>(
      `SELECT s.id, s.organization_id, s.domain_name, ${CLAIM_COLUMNS} FROM site s WHERE s.id = $1`,
      [siteId],
    )
  )[0]
}

/** Who has, or ever had, a claim to the very name. */
export async function holdersOf(tx: Tx, name: string): Promise<HolderRow[]> {
  return tx.query<HolderRow>(
    'SELECT organization_id, nameserver_pair, claimed_at, proven_by, ended_at, reserved_until FROM claimed_name WHERE domain_name = $1',
    [name],
  )
}

/** Each other organisation's pair. Whoever draws one that is nobody's does so one after the other. */
export async function pairsOfOthers(tx: Tx, organizationId: string): Promise<NameserverPair[]> {
  await tx.query(`SELECT pg_advisory_xact_lock(hashtextextended('nameserver pairs', 4713))`)
  const rows = await tx.query<{ pair: NameserverPair }>(
    'SELECT nameserver_pair AS pair FROM organization WHERE nameserver_pair IS NOT NULL AND id <> $1',
    [organizationId],
  )
  return rows.map(({ pair }) => pair)
}

export async function pairOfOrganization(tx: Tx, organizationId: string): Promise<NameserverPair | null> {
  const rows = await tx.query<{ pair: NameserverPair | null }>(
    'SELECT nameserver_pair AS pair FROM organization WHERE id = $1',
    [organizationId],
  )
  return rows[0]?.pair ?? null
}

/**
 * With its first site an organisation gets its nameserver names from its partner's zone, while that is given out; it
 * keeps them whatever becomes of the partner's names.
 */
export async function settleNamesZone(tx: Tx, organizationId: string): Promise<void> {
  await tx.query(
    `UPDATE organization o SET names_zone = p.service_domain FROM partner p
     WHERE o.id = $1 AND p.id = o.partner_id AND p.own_names_since IS NOT NULL AND o.names_zone IS NULL AND o.nameserver_pair IS NULL
       AND NOT EXISTS (SELECT FROM claimed_name WHERE organization_id = o.id)`,
    [organizationId],
  )
}

export async function setOrganizationPair(tx: Tx, organizationId: string, pair: NameserverPair): Promise<void> {
  await tx.query('UPDATE organization SET nameserver_pair = $2 WHERE id = $1', [organizationId, pair])
}

/**
 * The claim has a pair from now on. What the organisation had of the name goes on, unless that is longer ago than a
 * deleted name is kept.
 */
export async function noteHolder(tx: Tx, name: string, organizationId: string, pair: NameserverPair): Promise<void> {
  await tx.query(
    `INSERT INTO claimed_name (domain_name, organization_id, nameserver_pair) VALUES ($1, $2, $3)
     ON CONFLICT (domain_name, organization_id) DO UPDATE SET nameserver_pair = $3, ended_at = NULL, reserved_until = NULL,
       claimed_at = CASE WHEN claimed_name.ended_at < now() - make_interval(days => $4) THEN NULL ELSE claimed_name.claimed_at END,
       proven_by = CASE WHEN claimed_name.ended_at IS NOT NULL AND coalesce(claimed_name.reserved_until, '-infinity') < now() THEN NULL ELSE claimed_name.proven_by END`,
    [name, organizationId, pair, KEPT_DAYS],
  )
}

/** The claim counts from now on, unless it did before. Answers since when, and what proved it before. */
export async function noteEntry(
  tx: Tx,
  name: string,
  organizationId: string,
  now: Date,
): Promise<{ claimedAt: Date; provenBy: ClaimProof | null }> {
  const rows = await tx.query<{ claimed_at: Date; proven_by: ClaimProof | null }>(
    'UPDATE claimed_name SET claimed_at = coalesce(claimed_at, $3) WHERE domain_name = $1 AND organization_id = $2 RETURNING claimed_at, proven_by',
    [name, organizationId, now],
  )
  return { claimedAt: rows[0]?.claimed_at ?? now, provenBy: rows[0]?.proven_by ?? null }
}

export async function noteProof(tx: Tx, name: string, organizationId: string, by: ClaimProof | null): Promise<void> {
  await tx.query(`UPDATE claimed_name SET proven_by = $3 WHERE domain_name = $1 AND organization_id = $2`, [
    name,
    organizationId,
    by,
  ])
}

export async function noteEnd(
  tx: Tx,
  name: string,
  organizationId: string,
  reservedDays: number | null,
): Promise<void> {
  await tx.query(
    `UPDATE claimed_name SET ended_at = now(), reserved_until = now() + make_interval(days => $3) WHERE domain_name = $1 AND organization_id = $2`,
    [name, organizationId, reservedDays],
  )
}

/** What was proven by somebody else is not proven by an old token. */
export async function setClaim(
  tx: Tx,
  siteId: string,
  step: ClaimStep | { state: 'proven'; by: 'house' },
  since: Date,
): Promise<void> {
  await tx.query(
    `UPDATE site SET claim = $2, claim_reason = $3, proven_by = $4, claim_since = $5,
       proof_token = CASE WHEN $3 = 'proven-elsewhere' THEN replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', '') ELSE proof_token END WHERE id = $1`,
    [siteId, step.state, step.state === 'parked' ? step.reason : null, step.state === 'proven' ? step.by : null, since],
  )
}

export async function setPair(tx: Tx, siteId: string, pair: NameserverPair): Promise<void> {
  await tx.query('UPDATE site SET nameserver_pair = $2 WHERE id = $1', [siteId, pair])
}

/** Has the name looked at soon by all who claim it. */
export async function lookAgain(tx: Tx, name: string): Promise<void> {
  await tx.query(
    `INSERT INTO site_task (organization_id, site_id, kind) SELECT organization_id, id, 'nameservers' FROM site WHERE domain_name = $1 AND zone_status <> 0
     ON CONFLICT (site_id, kind) DO UPDATE SET state = CASE site_task.state WHEN 'running' THEN 'running' ELSE 'waiting' END, requested_at = now(), due_at = now(), is_repeat = false`,
    [name],
  )
  await tx.query(`SELECT pg_notify('site-task', '')`)
}
