import crypto from 'node:crypto'
import { permissionsOf } from '@fairway/domain'
import type { Config, Tx } from '@fairway/platform'
import { giveManagedCdns, noteManagedVendors } from './features/cdn-management/vendor-cdns.ts'
import { noteRestored } from './features/operator/holds-store.ts'
import { hashPassword } from './features/auth/password.ts'
import { refreshPermissions } from './features/teammates/store.ts'
import { publishHouseZones } from './publish/system-zone.ts'

/** The simulated CDNs every installation has for trying things out, one for each simulated address. */
const SIMULATED = [
  { slug: 'swiftlane', name: 'Swiftlane' },
  { slug: 'polaris', name: 'Polaris' },
  { slug: 'tidewater', name: 'Tidewater' },
] as const

/**
 * Makes what every installation has, and asks for its documents again in case addresses in the settings changed.
 * Idempotent.
 */
export async function prepareInstallation(tx: Tx, config: Config): Promise<void> {
  // Organisations that are being made meanwhile wait, or are seen: none ends between the two without its CDNs.
  await tx.query('SELECT pg_advisory_xact_lock(4713)')
  await noteRestored(tx, config)
  for (const [index, cdn] of SIMULATED.entries()) {
    const address = config.simulatedAddresses[index]
    if (!address) continue
    const changed = await tx.query(
      `INSERT INTO simulated_cdn (slug, name, address, series) VALUES ($1, $2, $3, $4) ON CONFLICT (slug) DO UPDATE SET address = $3, version = simulated_cdn.version + 1 WHERE simulated_cdn.address <> $3 RETURNING slug`,
      [cdn.slug, cdn.name, address, index + 1],
    )
    if (changed.length) await tx.query(`INSERT INTO outbox (kind, key) VALUES ('simulated-cdn', $1)`, [cdn.slug])
  }
  await giveSimulatedCdns(tx, null)
  await noteManagedVendors(tx, config)
  await refreshPermissions(tx)
  await publishHouseZones(tx, config)
  await tx.query(
    `INSERT INTO outbox (organization_id, kind, key) SELECT organization_id, 'probe-targets', key FROM publication WHERE kind = 'probe-targets' AND body IS NOT NULL`,
  )
  await tx.query(`INSERT INTO outbox (kind, key) SELECT 'edge-pages', 'brand:' || id FROM partner`)
  await tx.query(
    `INSERT INTO outbox (organization_id, kind, key) SELECT DISTINCT organization_id, 'edge-site', 'stream:' || organization_id FROM (SELECT organization_id FROM stream_asset WHERE deleted_at IS NULL UNION SELECT organization_id FROM stream_live WHERE deleted_at IS NULL) videos`,
  )
  await tx.query(
    `INSERT INTO outbox (organization_id, kind, key) SELECT organization_id, 'stream-balance', id::text FROM stream_balancer WHERE is_on UNION ALL SELECT organization_id, kind, key FROM publication WHERE kind = 'edge-site' AND key ~ '^stream:.+:' AND body IS NOT NULL
     UNION ALL SELECT organization_id, 'stream-peers', coalesce(asset_id, live_id)::text FROM stream_peers WHERE is_on`,
  )
  // A version that published before did not say which zones are proven, and the setting may have changed.
  await tx.query(
    `INSERT INTO outbox (organization_id, kind, key) SELECT s.organization_id, p.kind, p.key FROM publication p JOIN site s ON s.id::text = p.key
     WHERE p.kind = 'dns-zone' AND p.body IS NOT NULL AND s.claim IN ('served', 'proven') AND coalesce(p.base_proven, (p.body->>'proven')::boolean, false) <> (s.claim = 'proven' OR $1)`,
    [config.domainProof === 'off'],
  )
  await tx.query(`SELECT pg_notify('outbox', '')`)
}

export type NewOrganization = {
  name: string
  planId: string
  sandbox?: boolean
  /** The installation's own brand when left out. */ partnerId?: string
  /** False: the owner is asked for one. */ planChosen?: boolean
}

/** An organisation with the CDNs it may attach and its beacon key. */
export async function createOrganization(tx: Tx, organization: NewOrganization): Promise<string> {
  await tx.query('SELECT pg_advisory_xact_lock_shared(4713)')
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO organization (name, plan_id, sandbox, code, partner_id, plan_chosen_at) VALUES ($1, $2, $3, $4, coalesce($5, (SELECT id FROM partner WHERE host_name IS NULL)), $6) RETURNING id',
    [
      organization.name,
      organization.planId,
      organization.sandbox ?? false,
      organization.planId === 'enterprise' ? 'EnterpriseCustomer' : '',
      organization.partnerId ?? null,
      organization.planChosen === false ? null : new Date(),
    ],
  )
  const id = rows[0]?.id ?? ''
  await giveSimulatedCdns(tx, id)
  await giveManagedCdns(tx, id)
  await tx.query(
    `INSERT INTO cdn (organization_id, id, name, slug, driver, category, series) SELECT o.id, 'edge', p.company_name || ' Edge', 'edge', 'fairway-edge', 'basic-cdn', 5 FROM organization o JOIN partner p ON p.id = o.partner_id WHERE o.id = $1`,
    [id],
  )
  await tx.query('INSERT INTO pulse (organization_id, key) VALUES ($1, $2)', [
    id,
    crypto.randomBytes(12).toString('base64url'),
  ])
  await tx.query(`SELECT pg_notify('pulse', $1)`, [id])
  return id
}

/**
 * Simulated CDNs for an organisation, or for all: one made before the installation was prepared gets them afterwards.
 */
async function giveSimulatedCdns(tx: Tx, organizationId: string | null): Promise<void> {
  const given = await tx.query<{ organization_id: string }>(
    `INSERT INTO cdn (organization_id, id, name, slug, driver, category, series)
       SELECT o.id, s.slug, s.name, s.slug, 'simulated', 'global-cdn', s.series FROM simulated_cdn s, organization o WHERE o.id = coalesce($1::uuid, o.id)
       ON CONFLICT DO NOTHING RETURNING organization_id`,
    [organizationId],
  )
  for (const id of new Set(given.map((row) => row.organization_id)))
    await tx.query(`SELECT pg_notify('pulse', $1)`, [id])
}

export type NewUser = {
  organizationId: string
  email: string
  /** Null for who signs in another way. */ password: string | null
  firstName: string
  lastName: string
  isOperator: boolean
}

/** A user with every permission of the organisation, as its owner has. */
export async function createOwner(tx: Tx, user: NewUser): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO app_user (organization_id, email, password_hash, first_name, last_name, permissions, is_owner, api_tier, is_operator, email_verified_at) VALUES ($1, $2, $3, $4, $5, $6, true, 4, $7, now()) RETURNING id',
    [
      user.organizationId,
      user.email.toLowerCase(),
      user.password === null ? null : await hashPassword(user.password),
      user.firstName,
      user.lastName,
      [...permissionsOf({ owner: true })],
      user.isOperator,
    ],
  )
  return rows[0]?.id ?? ''
}
