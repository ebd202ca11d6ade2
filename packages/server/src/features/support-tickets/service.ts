import { type Locale, type Ticket, type TicketDetail, type TicketState, supportTickets } from '@fairway/contract'
import { redact } from '@fairway/domain'
import { type TicketDesk, DeskAway, DeskGone, deskToken, openTicketDesk } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import { beyondTenant } from '../../http/beyond-tenant.ts'
import { consoleLink } from '../../http/console-link.ts'
import { withoutConnection } from '../../http/call-transaction.ts'
import type { Context } from '../../http/context.ts'
import { Failure } from '../../http/failure.ts'
import { orderBy, pageOf } from '../../http/page.ts'
import { slice } from '../../http/register.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { takeAttempts, ticketLimit, ticketReplyLimit } from '../auth/attempts.ts'
import { notifyAcross } from '../notifications/notify-across.ts'
import { endForPartner, notifyPartner } from '../notifications/notify-partner.ts'
import { helpDeskOf } from './help-desk.ts'
import {
  findTicket,
  insertMessage,
  insertTicket,
  listTickets,
  messagesOf,
  nextTicketNumber,
  setTicketState,
  type TicketRow,
} from './store.ts'

const ORDER = {
  created_at: 't.created_at',
  modified_at: 't.modified_at',
  number: 't.number',
  subject: 'lower(t.subject)',
}
type Query = {
  page: number
  page_size: number
  ordering: string
  search?: string | undefined
  state?: TicketState | undefined
}

export const supportTicketsSlice = slice(supportTickets, {
  list: (context, query) => list(context.tx, query),
  get: ({ tx }, { id }) => detail(tx, id),

  async create(call, { subject, domain, message, context }) {
    const { tx, actor, services, change } = call
    await takeAttempts(services.database, [ticketLimit(actor.organizationId)])
    const plan = (
      await tx.query<{ plan: string; organization: string }>(
        'SELECT p.name AS plan, o.name AS organization FROM organization o JOIN plan p ON p.id = o.plan_id',
      )
    )[0]
    const text = redact(message)
    const title = redact(subject)
    const clean = { ...context, page: context.page && redact(context.page) }
    const author = authorOf(actor)
    const desk = openTicketDesk(services.config)
    const number =
      desk.name === 'embedded'
        ? await nextTicketNumber(tx)
        : await asked(() =>
            desk.create({
              subject: title,
              text,
              domain,
              planName: plan?.plan ?? '',
              email: actor.label,
              organization: plan?.organization ?? '',
              context: clean,
            }),
          )
    const id = await insertTicket(tx, {
      organizationId: actor.organizationId,
      userId: actor.userId,
      number,
      provider: desk.name,
      subject: title,
      domain,
      planName: plan?.plan ?? '',
      userLabel: author,
      context: clean,
    })
    await insertMessage(tx, { organizationId: actor.organizationId, ticketId: id, author, fromSupport: false, text })
    change.record({
      entity: 'ticket',
      id,
      label: `${number} ${title}`,
      before: null,
      after: { subject: title, domain },
    })
    await tellThoseWhoAnswer(call, { id, number, subject: title, organization: plan?.organization ?? '' })
    return { ticketId: number, id }
  },

  async reply(context, { id, message }) {
    const { tx, actor, services } = context
    await takeAttempts(services.database, [ticketReplyLimit(actor.organizationId)])
    const ticket = await existing(tx, id)
    const text = redact(message)
    await forward(context, ticket, (desk) => desk.note(ticket.number, text, actor.label))
    await insertMessage(tx, {
      organizationId: actor.organizationId,
      ticketId: id,
      author: authorOf(actor),
      fromSupport: false,
      text,
    })
    await tellThoseWhoAnswer(context, { ...ticket, organization: ticket.organization_name })
    return moved(context, ticket, 'open')
  },

  async close(context, { id }) {
    const ticket = await existing(context.tx, id)
    await mirror(context, ticket, (desk) => desk.close(ticket.number))
    return moved(context, ticket, 'closed')
  },

  async token({ tx, actor, services: { config }, now }, { provider }) {
    const name = helpDeskOf(config)
    if (provider !== name) throw new Failure(404)
    const [person] = await tx.query<{ email: string; name: string; organization: string }>(
      `SELECT u.email, trim(u.first_name || ' ' || u.last_name) AS name, o.name AS organization FROM app_user u JOIN organization o ON o.id = u.organization_id WHERE u.id = $1`,
      [actor.userId],
    )
    if (!person) throw new Failure(401)
    const jwtToken = deskToken(config.deskSecret, config.publicUrl, { id: actor.userId, ...person }, now)
    return { jwtToken, url: config.deskUrl.replace('{token}', jwtToken) }
  },

  async contact({ tx, actor, services }, { email }) {
    // Nobody is looked up there but the caller.
    if (email !== undefined && email.toLowerCase() !== actor.label.toLowerCase())
      throw new Failure(400, { fields: [{ path: 'email', message: 'validation.invalid' }] })
    const contactId = await asked(() => openTicketDesk(services.config).contact(actor.label))
    if (contactId === null) throw new Failure(404)
    await tx.query('UPDATE organization SET hubspot_contact_id = coalesce(hubspot_contact_id, $2) WHERE id = $1', [
      actor.organizationId,
      contactId,
    ])
    return { contactId }
  },

  all: (context, query) => list(context.tx, query),
  open: ({ tx }, { ticket }) => detail(tx, ticket),

  async answer(context, { ticket: id, message }) {
    const { tx, actor } = context
    const ticket = await existing(tx, id)
    const text = redact(message)
    await mirror(context, ticket, (desk) => desk.note(ticket.number, text, actor.label))
    await insertMessage(tx, {
      organizationId: ticket.organization_id,
      ticketId: id,
      author: authorOf(actor),
      fromSupport: true,
      text,
    })
    if (ticket.user_id) await writeToAuthor(context, ticket, text)
    await notifyAcross(tx, {
      organizationId: ticket.organization_id,
      event: 'ticket-answered',
      fields: { ticket: ticket.number, subject: ticket.subject },
      ...(ticket.user_id ? { userId: ticket.user_id } : {}),
    })
    return moved(context, ticket, 'answered')
  },

  async setState(context, { ticket: id, state }) {
    const ticket = await existing(context.tx, id)
    if (state === 'closed') await mirror(context, ticket, (desk) => desk.close(ticket.number))
    return moved(context, ticket, state)
  },
})

const authorOf = ({ label, impostor }: Context['actor']): string => (impostor ? `${impostor} for ${label}` : label)

async function list(tx: Tx, query: Query) {
  const { limit, offset, meta } = pageOf(query)
  const rows = await listTickets(tx, {
    state: query.state ?? null,
    search: query.search ?? null,
    order: orderBy(query.ordering, ORDER),
    limit,
    offset,
  })
  return { data: rows.map(present), meta: meta(rows[0]?.total ?? 0) }
}

const incidentOf = (ticketId: string): string => `ticket-opened:${ticketId}`

/** Once, until it is answered or closed, whatever is written meanwhile. */
async function tellThoseWhoAnswer(
  { tx, actor }: Context,
  { id, number, subject, organization }: Pick<TicketRow, 'id' | 'number' | 'subject'> & { organization: string },
): Promise<void> {
  const fields = { ticket: number, subject, organization }
  await beyondTenant(tx, () =>
    notifyPartner(tx, actor.partnerId, { event: 'ticket-opened', fields, incident: incidentOf(id) }),
  )
}

/** Somebody who asked waits for it: unlike what notifications tell, it comes whatever was chosen there. */
async function writeToAuthor({ tx, services }: Context, ticket: TicketRow, answer: string): Promise<void> {
  const author = (
    await beyondTenant(tx, () =>
      tx.query<{ email: string; locale: Locale; partner_id: string }>(
        `SELECT u.email, u.locale, o.partner_id FROM app_user u JOIN organization o ON o.id = u.organization_id
     WHERE u.id = $1 AND NOT u.suspended AND u.email_verified_at IS NOT NULL AND NOT o.sandbox`,
        [ticket.user_id],
      ),
    )
  )[0]
  if (!author) return
  const link = await consoleLink(tx, services.config, author.partner_id, `/support?open=${ticket.id}`)
  const letter = {
    to: author.email,
    locale: author.locale,
    partnerId: author.partner_id,
    organizationId: ticket.organization_id,
    template: 'ticket-answered' as const,
    fields: { ticket: ticket.number, subject: ticket.subject, answer, link },
  }
  await beyondTenant(tx, () => enqueueMail(tx, letter))
}

async function existing(tx: Tx, id: string): Promise<TicketRow> {
  const row = await findTicket(tx, id)
  if (!row) throw new Failure(404)
  return row
}

async function moved({ tx, change }: Context, ticket: TicketRow, state: TicketState): Promise<TicketDetail> {
  await setTicketState(tx, ticket.id, state)
  if (state !== 'open') await beyondTenant(tx, () => endForPartner(tx, incidentOf(ticket.id)))
  change.concerns = ticket.organization_id
  change.record({
    entity: 'ticket',
    id: ticket.id,
    label: `${ticket.number} ${ticket.subject}`,
    before: { state: ticket.state },
    after: { state },
  })
  return detail(tx, ticket.id)
}

async function detail(tx: Tx, id: string): Promise<TicketDetail> {
  const row = await existing(tx, id)
  const messages = await messagesOf(tx, id)
  return {
    ...present(row),
    provider: row.provider,
    context: row.context,
    messages: messages.map((one) => ({
      id: one.id,
      author: one.author,
      fromSupport: one.from_support,
      text: one.text,
      createdAt: one.created_at.toISOString(),
    })),
  }
}

type Told = (desk: TicketDesk) => Promise<void>

/**
 * What a customer writes reaches those who answer at the help desk outside where the ticket lies.
 *
 * @throws Failure 503 while it does not; a ticket that is gone there is answered here
 */
async function forward({ services: { config, log } }: Context, ticket: TicketRow, tell: Told): Promise<void> {
  const desk = openTicketDesk(config)
  if (ticket.provider !== desk.name) return
  try {
    await withoutConnection(() => tell(desk))
  } catch (error) {
    if (!(error instanceof DeskGone)) throw refusalOf(error)
    log.warn({ event: 'ticket.gone-at-desk', ticket: ticket.id, err: error })
  }
}

/** What is answered or closed here is told there, and holds where it cannot be: ours is the record. */
async function mirror({ services: { config, log } }: Context, ticket: TicketRow, tell: Told): Promise<void> {
  const desk = openTicketDesk(config)
  if (ticket.provider !== desk.name) return
  try {
    await withoutConnection(() => tell(desk))
  } catch (error) {
    if (!(error instanceof DeskAway)) throw error
    log.warn({ event: 'ticket.not-at-desk', ticket: ticket.id, err: error })
  }
}

async function asked<T>(call: () => Promise<T>): Promise<T> {
  return withoutConnection(call).catch((error: unknown) => {
    throw refusalOf(error)
  })
}

const refusalOf = (error: unknown): unknown =>
  error instanceof DeskAway ? new Failure(503, { internal: error.message }) : error

function present(row: TicketRow): Ticket {
  return {
    id: row.id,
    ticketId: row.number,
    subject: row.subject,
    domain: row.domain,
    planName: row.plan_name,
    state: row.state,
    author: row.user_label,
    priority: row.priority,
    organizationId: row.organization_id,
    organizationName: row.organization_name,
    messageCount: row.message_count,
    createdAt: row.created_at.toISOString(),
    modifiedAt: row.modified_at.toISOString(),
  }
}
