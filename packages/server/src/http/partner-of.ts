import type { FastifyRequest } from 'fastify'
import type { PartnerFeature } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type PartnerRow = {
  id: string
  acronym: string
  host_name: string | null
  company_name: string
  contact_email: string | null
  sender_address: string | null
  brand_color: string
  terms_link: string | null
  privacy_policy_link: string | null
  api_document_url: string
  hide_feature: PartnerFeature[]
  ignore_maintenance_mode: boolean
  support_signup: boolean
  signup_phone: boolean
  sandbox_mode: boolean
  google_sign_in: boolean
  additional: Record<string, unknown>
}

/**
 * The partner whose host name was asked, or else what was its host name before; the installation's own brand under any other.
 */
export async function partnerOfHost(tx: Tx, request: FastifyRequest): Promise<PartnerRow> {
  const rows = await tx.query<PartnerRow>(
    'SELECT * FROM partner WHERE host_name = $1 OR id = (SELECT partner_id FROM partner_former_host WHERE host_name = $1) OR host_name IS NULL ORDER BY host_name IS NULL, host_name <> $1 LIMIT 1',
    [request.hostname.toLowerCase()],
  )
  if (!rows[0]) throw new Error('the installation has no brand of its own')
  return rows[0]
}
