import type { TicketContext, TicketState } from '@fairway/contract'
import type { Tx } from '@fairway/platform'

export type TicketRow = {
  id: string
  number: string
  provider: string
  subject: string
  domain: string | null
  plan_name: string
  user_label: string
  priority: boolean
  state: TicketState
  context: TicketContext
  organization_id: string
  user_id: string | null
  organization_name: string
  message_count: number
  created_at: Date
  modified_at: Date
  total: number
}
export type MessageRow = { id: string; author: string; from_support: boolean; text: string; created_at: Date }

const TICKET = `t.id, t.number, t.provider, t.subject, t.domain, t.plan_name, t.user_label, t.priority, t.state, t.context, t.organization_id, t.user_id, o.name AS organization_name, t.created_at, t.modified_at,
  (SELECT count(*)::int FROM support_message m WHERE m.ticket_id = t.id) AS message_count`

export async function listTickets(
  tx: Tx,
  {
    state,
    search,
    order,
    limit,
    offset,
  }: { state: string | null; search: string | null; order: string; limit: number | null; offset: number },
): Promise<TicketRow[]> {
  return tx.query(
    `SELECT ${TICKET}, count(*) OVER ()::int AS total FROM support_ticket t JOIN organization o ON o.id = t.organization_id
     WHERE ($1::text IS NULL OR t.state = $1) AND ($2::text IS NULL OR t.subject ILIKE '%' || $2 || '%' OR t.number ILIKE '%' || $2 || '%' OR o.name ILIKE '%' || $2 || '%' OR t.domain ILIKE '%' || $2 || '%')
     ORDER BY t.priority AND t.state = 'open' DESC, ${order}, t.id LIMIT $3 OFFSET $4`,
    [state, search, limit, offset],
  )
}

export async function findTicket(tx: Tx, id: string): Promise<TicketRow | undefined> {
  return (
    await tx.query<TicketRow>(
      `SELECT ${TICKET}, 1 AS total FROM support_ticket t JOIN organization o ON o.id = t.organization_id WHERE t.id = $1`,
      [id],
    )
  )[0]
}

export async function messagesOf(tx: Tx, ticketId: string): Promise<MessageRow[]> {
  return tx.query(
    'SELECT id, author, from_support, text, created_at FROM support_message WHERE ticket_id = $1 ORDER BY created_at, id',
    [ticketId],
  )
}

export type NewTicket = {
  organizationId: string
  userId: string
  number: string
  provider: string
  subject: string
  domain: string | null
  planName: string
  userLabel: string
  context: TicketContext
}

export async function insertTicket(tx: Tx, ticket: NewTicket): Promise<string> {
  const rows = await tx.query<{ id: string }>(
    `INSERT INTO support_ticket (organization_id, user_id, number, provider, subject, domain, plan_name, user_label, context, priority) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9,
       EXISTS (SELECT FROM addon_subscription s JOIN addon a ON a.id = s.addon_id WHERE s.organization_id = $1 AND s.ended_at IS NULL AND a.category = 'support-package')) RETURNING id`,
    [
      ticket.organizationId,
      ticket.userId,
      ticket.number,
      ticket.provider,
      ticket.subject,
      ticket.domain,
      ticket.planName,
      ticket.userLabel,
      JSON.stringify(ticket.context),
    ],
  )
  return rows[0]?.id ?? ''
}

export async function insertMessage(
  tx: Tx,
  message: { organizationId: string; ticketId: string; author: string; fromSupport: boolean; text: string },
): Promise<void> {
  await tx.query(
    'INSERT INTO support_message (organization_id, ticket_id, author, from_support, text) VALUES ($1, $2, $3, $4, $5)',
    [message.organizationId, message.ticketId, message.author, message.fromSupport, message.text],
  )
}

export async function setTicketState(tx: Tx, id: string, state: TicketState): Promise<void> {
  await tx.query('UPDATE support_ticket SET state = $2, modified_at = now() WHERE id = $1', [id, state])
}

export async function nextTicketNumber(tx: Tx): Promise<string> {
  return String((await tx.query<{ number: number }>(`SELECT nextval('support_ticket_number') AS number`))[0]?.number)
}
