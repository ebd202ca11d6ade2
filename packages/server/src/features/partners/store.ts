import type { PartnerFileKind, PartnerSettings } from '@fairway/contract'
import type { Tx } from '@fairway/platform'
import type { PartnerRow } from '../../http/partner-of.ts'

export type PartnerListRow = PartnerRow & {
  organization_count: number
  passkey_count: number
  created_at: Date
  files: { kind: PartnerFileKind; digest: string; media_type: string }[]
  total: number
}

const COLUMNS = `p.*, (SELECT count(*)::int FROM organization o WHERE o.partner_id = p.id) AS organization_count,
  (SELECT count(*)::int FROM passkey k WHERE k.relying_party = p.host_name) AS passkey_count,
  coalesce((SELECT json_agg(json_build_object('kind', f.kind, 'digest', f.digest, 'media_type', f.media_type)) FROM partner_file f WHERE f.partner_id = p.id), '[]') AS files`

export async function listPartners(
  tx: Tx,
  { search, order, limit, offset }: { search: string | null; order: string; limit: number | null; offset: number },
): Promise<PartnerListRow[]> {
  return tx.query(
    `SELECT ${COLUMNS}, count(*) OVER ()::int AS total FROM partner p WHERE $1::text IS NULL OR p.company_name ILIKE '%' || $1 || '%' OR p.host_name ILIKE '%' || $1 || '%' ORDER BY ${order}, p.id LIMIT $2 OFFSET $3`,
    [search, limit, offset],
  )
}

/** Whether it has sold something: what is posted is kept, with its seller. */
export async function hasInvoices(tx: Tx, id: string): Promise<boolean> {
  return (await tx.query('SELECT FROM invoice WHERE partner_id = $1 LIMIT 1', [id])).length > 0
}

export async function findPartner(tx: Tx, id: string): Promise<PartnerListRow | undefined> {
  return (await tx.query<PartnerListRow>(`SELECT ${COLUMNS}, 1 AS total FROM partner p WHERE p.id = $1`, [id]))[0]
}

/** Also by what another partner's console was called before. */
export async function hostTaken(tx: Tx, hostName: string, exceptId: string | null): Promise<boolean> {
  return (
    (
      await tx.query(
        'SELECT FROM partner WHERE host_name = $1 AND id IS DISTINCT FROM $2 UNION ALL SELECT FROM partner_former_host WHERE host_name = $1 AND partner_id IS DISTINCT FROM $2',
        [hostName, exceptId],
      )
    ).length > 0
  )
}

/** A partner's console is called otherwise: the name before stays the partner's. */
export async function keepHost(
  tx: Tx,
  partner: string,
  { before, now }: { before: string; now: string },
): Promise<void> {
  await tx.query('DELETE FROM partner_former_host WHERE host_name = $1 AND partner_id = $2', [now, partner])
  // It may be there as another's, when a process of before gave it away.
  await tx.query(
    'INSERT INTO partner_former_host (host_name, partner_id) VALUES ($1, $2) ON CONFLICT (host_name) DO UPDATE SET partner_id = excluded.partner_id, since = now()',
    [before, partner],
  )
}

export async function insertPartner(
  tx: Tx,
  partner: { acronym: string; hostName: string; companyName: string; brandColor: string; contactEmail: string | null },
): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    'INSERT INTO partner (acronym, host_name, company_name, brand_color, contact_email) VALUES ($1, $2, $3, $4, $5) RETURNING id',
    [partner.acronym, partner.hostName, partner.companyName, partner.brandColor, partner.contactEmail],
  )
  return rows[0]?.id ?? ''
}

export async function updatePartner(tx: Tx, id: string, partner: PartnerSettings): Promise<void> {
  await tx.query(
    `UPDATE partner SET company_name = $2, host_name = $3, brand_color = $4, contact_email = $5, terms_link = $6, privacy_policy_link = $7, api_document_url = $8,
       hide_feature = $9, ignore_maintenance_mode = $10, support_signup = $11, signup_phone = $12, sandbox_mode = $13, google_sign_in = $14, modified_at = now() WHERE id = $1`,
    [
      id,
      partner.companyName,
      partner.hostName,
      partner.brandColor,
      partner.contactEmail,
      partner.termsLink,
      partner.privacyPolicyLink,
      partner.apiDocumentUrl,
      partner.hideFeature,
      partner.ignoreMaintenanceMode,
      partner.supportSignup,
      partner.signupPhone,
      partner.sandboxMode,
      partner.googleSignIn,
    ],
  )
}

/** A short name that no other partner has, from the company's. */
export async function freeAcronym(tx: Tx, companyName: string): Promise<string> {
  const stem =
    companyName
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-+|-+$/g, '')
      .slice(0, 30) || 'partner'
  const taken = new Set(
    (
      await tx.query<{ acronym: string }>(`SELECT acronym FROM partner WHERE acronym = $1 OR acronym LIKE $1 || '-%'`, [
        stem,
      ])
    ).map((row) => row.acronym),
  )
  let acronym = stem
  for (let number = 2; taken.has(acronym); number++) acronym = `${stem}-${number}`
  return acronym
}

export async function saveFile(
  tx: Tx,
  partnerId: string,
  file: { kind: PartnerFileKind; mediaType: string; body: Buffer; digest: string },
): Promise<void> {
  await tx.query(
    `INSERT INTO partner_file (partner_id, kind, media_type, body, digest) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (partner_id, kind) DO UPDATE SET media_type = $3, body = $4, digest = $5, modified_at = now()`,
    [partnerId, file.kind, file.mediaType, file.body, file.digest],
  )
}
