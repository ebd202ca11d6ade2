import type { FastifyInstance } from 'fastify'
import { PartnerFileKind, type PartnerInfo } from '@fairway/contract'
import { inkOn } from '@fairway/domain'
import type { Database, Tx } from '@fairway/platform'
import { Failure } from './failure.ts'
import type { PartnerRow } from './partner-of.ts'

type FileRow = { kind: PartnerFileKind; digest: string; media_type: string }

const ENDINGS: Record<string, string> = {
  'image/svg+xml': 'svg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/x-icon': 'ico',
}
/** Where the installation's own brand lies; no host name is called so. */
const OWN = 'default'

/** Address of a picture: its content is part of the name, so it may be kept for ever. */
export function partnerFilePath(hostName: string | null, { kind, digest, media_type }: FileRow): string {
  return `/partner-static/${hostName ?? OWN}/${kind}-${digest}.${ENDINGS[media_type] ?? 'bin'}`
}

/** What is public of a partner, pictures included. */
export async function partnerInfo(tx: Tx, row: PartnerRow): Promise<PartnerInfo> {
  const files = await tx.query<FileRow>('SELECT kind, digest, media_type FROM partner_file WHERE partner_id = $1', [
    row.id,
  ])
  const at = (kind: PartnerFileKind) =>
    files.filter((file) => file.kind === kind).map((file) => partnerFilePath(row.host_name, file))[0] ?? null
  return {
    acronym: row.acronym,
    hostName: row.host_name,
    companyName: row.company_name,
    contactEmail: row.contact_email,
    brandColor: row.brand_color,
    brandInk: inkOn(row.brand_color),
    termsLink: row.terms_link,
    privacyPolicyLink: row.privacy_policy_link,
    apiDocumentUrl: row.api_document_url,
    hideFeature: row.hide_feature,
    ignoreMaintenanceMode: row.ignore_maintenance_mode,
    supportSignup: row.support_signup,
    signupPhone: row.signup_phone,
    sandboxMode: row.sandbox_mode,
    logoWord: at('logoWord'),
    logoWordWhite: at('logoWordWhite'),
    favicon: at('favicon'),
  }
}

/** The static location: `/partner-static/<host>/index.json`, which points to the picture files beside it. */
export function registerPartnerStatic(server: FastifyInstance, database: Database): void {
  server.get<{ Params: { host: string } }>('/partner-static/:host/index.json', async (request, reply) => {
    const document = await database.system(async (tx) => {
      const row = await partnerAt(tx, request.params.host)
      return indexDocument(await partnerInfo(tx, row), row.additional)
    })
    return reply.header('cache-control', 'no-cache').send(document)
  })
  server.get<{ Params: { host: string; file: string } }>('/partner-static/:host/:file', async (request, reply) => {
    const [, kind, digest] = /^(\w+)-([0-9a-f]{16})\.\w+$/.exec(request.params.file) ?? []
    const file = await database.system(async (tx) => {
      const row = await partnerAt(tx, request.params.host)
      return (
        await tx.query<{ media_type: string; body: Buffer }>(
          'SELECT media_type, body FROM partner_file WHERE partner_id = $1 AND kind = $2 AND digest = $3',
          [row.id, kind ?? '', digest ?? ''],
        )
      )[0]
    })
    if (!file) throw new Failure(404)
    // Checked when it came in; should something have been missed, it still may do nothing.
    return reply
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox")
      .header('cache-control', 'public, max-age=31536000, immutable')
      .type(file.media_type)
      .send(file.body)
  })
}

async function partnerAt(tx: Tx, host: string): Promise<PartnerRow> {
  const row = (
    await tx.query<PartnerRow>(
      'SELECT * FROM partner WHERE CASE $1 WHEN $2 THEN host_name IS NULL ELSE host_name = $1 END',
      [host.toLowerCase(), OWN],
    )
  )[0]
  if (!row) throw new Failure(404)
  return row
}

/** The index document under the names that partners know. */
function indexDocument(info: PartnerInfo, additional: Record<string, unknown>): object {
  return {
    companyName: info.companyName,
    acronym: info.acronym,
    hostname: info.hostName,
    logo: info.logoWord,
    logoWord: info.logoWord,
    logoWordWhite: info.logoWordWhite,
    favicon: info.favicon,
    brandColor: info.brandColor,
    brandInk: info.brandInk,
    contactEmail: info.contactEmail,
    terms_link: info.termsLink,
    privacy_policy_link: info.privacyPolicyLink,
    api_document_url: info.apiDocumentUrl,
    hide_feature: info.hideFeature,
    ignore_maintenance_mode: info.ignoreMaintenanceMode,
    support_signup: info.supportSignup,
    sandboxMode: info.sandboxMode,
    snackbar: null,
    additional,
  }
}
