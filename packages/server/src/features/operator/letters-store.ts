import type { Letter } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type LetterRow = {
  id: string
  to_address: string
  organization_id: string | null
  template: string
  locale: string
  state: Letter['state']
  attempts: number
  problem: string | null
  partner_name: string
  organization_name: string | null
  created_at: Date
  sent_at: Date | null
  total: number
}

export async function listLetters(
  tx: Tx,
  {
    id = null,
    state,
    search,
    order,
    limit,
    offset,
  }: {
    id?: string | null
    state: string | null
    search: string | null
    order: string
    limit: number | null
    offset: number
  },
): Promise<LetterRow[]> {
  return tx.query(
    `SELECT m.id, m.to_address, m.organization_id, m.template, m.locale, m.state, m.attempts, m.problem, p.company_name AS partner_name, o.name AS organization_name, m.created_at, m.sent_at, count(*) OVER ()::int AS total
     FROM mail_message m JOIN partner p ON p.id = m.partner_id LEFT JOIN organization o ON o.id = m.organization_id
     WHERE ($1::uuid IS NULL OR m.id = $1) AND ($2::text IS NULL OR m.state = $2) AND ($3::text IS NULL OR m.to_address ILIKE '%' || $3 || '%' OR m.template ILIKE '%' || $3 || '%' OR o.name ILIKE '%' || $3 || '%')
     ORDER BY ${order}, m.id LIMIT $4 OFFSET $5`,
    [id, state, search, limit, offset],
  )
}

/** Has the worker send it again, from the first attempt on. */
export async function resendLetter(tx: Tx, id: string): Promise<{ template: string; to_address: string } | undefined> {
  const rows = await tx.query<{ template: string; to_address: string }>(
    `UPDATE mail_message SET state = 'waiting', attempts = 0, problem = NULL, due_at = now(), turn_at = now() WHERE id = $1 RETURNING template, to_address`,
    [id],
  )
  await tx.query(`SELECT pg_notify('mail', '')`)
  return rows[0]
}

export function presentLetter(row: LetterRow): Letter {
  return {
    id: row.id,
    to: row.to_address,
    template: row.template,
    locale: row.locale,
    state: row.state,
    attempts: row.attempts,
    problem: row.problem,
    partnerName: row.partner_name,
    organizationName: row.organization_name,
    createdAt: row.created_at.toISOString(),
    sentAt: row.sent_at?.toISOString() ?? null,
  }
}
