import crypto from 'node:crypto'
import { type Partner, PartnerFileKind, type PartnerSettings, partners } from '@fairway/contract'
import { brandContrast, nearestReadable } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { partnerFilePath } from '../../http/partner-static.ts'
import { slice } from '../../http/register.ts'
import { brandKey } from '../../publish/edge-pages.ts'
import { holdPartner } from '../white-label/store.ts'
import { keepZones, zonesOf } from '../white-label/zones.ts'
import { checkPicture } from './check-picture.ts'
import {
  findPartner,
  freeAcronym,
  hasInvoices,
  hostTaken,
  keepHost,
  insertPartner,
  listPartners,
  saveFile,
  updatePartner,
  type PartnerListRow,
} from './store.ts'

const ORDER = {
  created_at: 'p.created_at',
  company_name: 'lower(p.company_name)',
  host_name: 'p.host_name',
  organizations: 'organization_count',
}

export const partnersSlice = slice(partners, {
  async list({ tx }, query) {
    const { limit, offset, meta } = pageOf(query)
    const rows = await listPartners(tx, {
      search: query.search ?? null,
      order: orderBy(query.ordering, ORDER),
      limit,
      offset,
    })
    return { data: rows.map(present), meta: meta(rows[0]?.total ?? 0) }
  },

  async get({ tx }, { partner }) {
    return present(await existing(tx, partner))
  },

  async create({ tx, change }, { companyName, hostName, brandColor, contactEmail }) {
    refuseUnreadable(brandColor)
    await tx.query('SELECT pg_advisory_xact_lock(4714)')
    if (await hostTaken(tx, hostName, null)) throw taken()
    const id = await insertPartner(tx, {
      acronym: await freeAcronym(tx, companyName),
      hostName,
      companyName,
      brandColor,
      contactEmail,
    })
    return recorded({ tx, change }, id, null)
  },

  async update({ tx, change }, { partner, ...settings }) {
    // What it was called before is read when nobody else calls it otherwise.
    await tx.query('SELECT pg_advisory_xact_lock(4714)')
    const before = await existing(tx, partner)
    if ((settings.hostName === null) !== (before.host_name === null))
      throw new Failure(400, {
        fields: [
          { path: 'hostName', message: settings.hostName === null ? 'validation.required' : 'validation.invalid' },
        ],
      })
    refuseUnreadable(settings.brandColor)
    if (settings.hostName !== null && (await hostTaken(tx, settings.hostName, partner))) throw taken()
    await updatePartner(tx, partner, { ...settings, googleSignIn: settings.googleSignIn ?? before.google_sign_in })
    if (settings.hostName !== null && before.host_name !== null && settings.hostName !== before.host_name)
      await keepHost(tx, partner, { before: before.host_name, now: settings.hostName })
    return recorded({ tx, change }, partner, before)
  },

  async remove({ tx, change }, { partner }) {
    const before = await existing(tx, partner)
    if (before.host_name === null || before.organization_count > 0)
      throw new Failure(7409, { internal: 'the default brand, or a partner with organisations' })
    await holdPartner(tx, partner)
    if ((await hasInvoices(tx, partner)) || (await zonesOf(tx, partner)).some(({ used }) => used))
      throw new Failure(7409, { internal: 'its invoices are kept, or organisations that left have names in its zone' })
    await tx.query('UPDATE app_user SET administers_partner_id = NULL WHERE administers_partner_id = $1', [partner])
    if ((await tx.query('SELECT FROM mail_message WHERE partner_id = $1 LIMIT 1', [partner])).length)
      await tx.query('DELETE FROM mail_message WHERE partner_id = $1', [partner])
    await keepZones(tx, partner, new Set())
    await tx.query('DELETE FROM partner WHERE id = $1', [partner])
    change.kinds = ['edge-pages']
    change.key = brandKey(partner)
    change.record({
      entity: 'partner',
      id: partner,
      label: before.company_name,
      before: settingsOf(before),
      after: null,
    })
    return {}
  },

  async upload({ tx, change }, { partner, kind, data }) {
    const before = await existing(tx, partner)
    const parsed = kindOf(kind)
    const body = Buffer.from(data, 'base64')
    const mediaType = checkPicture(parsed, body)
    await saveFile(tx, partner, {
      kind: parsed,
      mediaType,
      body,
      digest: crypto.createHash('sha256').update(body).digest('hex').slice(0, 16),
    })
    return recorded({ tx, change }, partner, before)
  },

  async removeFile({ tx, change }, { partner, kind }) {
    const before = await existing(tx, partner)
    if (
      !(
        await tx.query('DELETE FROM partner_file WHERE partner_id = $1 AND kind = $2 RETURNING kind', [
          partner,
          kindOf(kind),
        ])
      ).length
    )
      throw new Failure(404)
    return recorded({ tx, change }, partner, before)
  },
})

/** The partner as it is now, and what that differs in from before, for the audit log. */
async function recorded(
  { tx, change }: Pick<Context, 'tx' | 'change'>,
  id: string,
  before: PartnerListRow | null,
): Promise<Partner> {
  const row = await existing(tx, id)
  change.record({
    entity: 'partner',
    id,
    label: row.company_name,
    before: before && settingsOf(before),
    after: settingsOf(row),
  })
  // Its websites' error pages bear its name, colour and logo.
  change.kinds = ['edge-pages']
  change.key = brandKey(id)
  return present(row)
}

async function existing(tx: Tx, id: string): Promise<PartnerListRow> {
  const row = await findPartner(tx, id)
  if (!row) throw new Failure(404)
  return row
}

function kindOf(text: string): PartnerFileKind {
  const kind = PartnerFileKind.safeParse(text)
  if (!kind.success) throw new Failure(404)
  return kind.data
}

const taken = () => new Failure(7491, { fields: [{ path: 'hostName', message: 'code:7491' }] })

/** A colour that nobody can read is refused with the nearest that everybody can. */
function refuseUnreadable(brandColor: string): void {
  if (!brandContrast(brandColor).readable)
    throw new Failure(400, {
      fields: [{ path: 'brandColor', message: `validation.brandContrast:${nearestReadable(brandColor)}` }],
    })
}

function settingsOf(row: PartnerListRow): PartnerSettings & { files: string[] } {
  return {
    companyName: row.company_name,
    hostName: row.host_name,
    brandColor: row.brand_color,
    contactEmail: row.contact_email,
    termsLink: row.terms_link,
    privacyPolicyLink: row.privacy_policy_link,
    apiDocumentUrl: row.api_document_url,
    hideFeature: row.hide_feature,
    ignoreMaintenanceMode: row.ignore_maintenance_mode,
    supportSignup: row.support_signup,
    signupPhone: row.signup_phone,
    sandboxMode: row.sandbox_mode,
    googleSignIn: row.google_sign_in,
    files: row.files.map(({ kind, digest }) => `${kind} ${digest}`).sort(),
  }
}

function present(row: PartnerListRow): Partner {
  const files = Object.fromEntries(row.files.map((file) => [file.kind, partnerFilePath(row.host_name, file)]))
  return {
    ...settingsOf(row),
    id: row.id,
    acronym: row.acronym,
    isDefault: row.host_name === null,
    organizationCount: row.organization_count,
    passkeyCount: row.passkey_count,
    files,
    createdAt: row.created_at.toISOString(),
  }
}
