import { z } from 'zod'
import { TICKET_STATES } from './lean.ts'
import { Email } from './auth.ts'
import { ListQuery, feature, get, page, patch, post } from './route.ts'

export const TicketState = z.enum(TICKET_STATES)
export type TicketState = z.infer<typeof TicketState>

/** What a ticket is about, by the situation it is written in; the words are the console's. */
export const TicketSituation = z.enum(['general', 'powerUpFailed', 'siteLocked'])
export type TicketSituation = z.infer<typeof TicketSituation>

const Message = z.string().trim().min(1).max(10_000)

/** Where exactly it happened, so that whoever answers opens the same state. Ids only; texts are redacted. */
export const TicketContext = z.object({
  siteVersions: z
    .array(z.object({ site: z.string(), version: z.int() }))
    .max(20)
    .default([]),
  decisionIds: z.array(z.string().max(100)).max(20).default([]),
  requestIds: z
    .array(z.string().regex(/^[\w-]{1,64}$/))
    .max(20)
    .default([]),
  errorCode: z.int().nullable().default(null),
  page: z.string().max(300).nullable().default(null),
  softwareVersion: z.string().max(40).nullable().default(null),
})
export type TicketContext = z.infer<typeof TicketContext>

export const Ticket = z.object({
  id: z.string(),
  ticketId: z.string(),
  subject: z.string(),
  domain: z.string().nullable(),
  planName: z.string(),
  state: TicketState,
  author: z.string(),
  /** Written with a support package: answered before others. */ priority: z.boolean(),
  organizationId: z.string(),
  organizationName: z.string(),
  messageCount: z.int(),
  createdAt: z.iso.datetime(),
  modifiedAt: z.iso.datetime(),
})
export type Ticket = z.infer<typeof Ticket>
export const TicketMessage = z.object({
  id: z.string(),
  author: z.string(),
  fromSupport: z.boolean(),
  text: z.string(),
  createdAt: z.iso.datetime(),
})
export const TicketDetail = Ticket.extend({
  messages: z.array(TicketMessage),
  context: TicketContext,
  provider: z.string(),
})
export type TicketDetail = z.infer<typeof TicketDetail>

const Query = ListQuery.extend({
  ordering: ListQuery.shape.ordering.default('-modified_at'),
  state: TicketState.optional(),
})
const customer = { permission: 'signed-in', partnerFeature: 'support', errors: [] } as const
const operator = { permission: 'operator', scope: 'partner', errors: [] } as const

/** Questions of customers and the answers to them. */
export const supportTickets = feature('support-tickets', {
  list: get('/account/v2/tickets/', { fromReplica: true, ...customer, in: Query, out: page(Ticket) }),
  get: get('/account/v2/tickets/{id}/', { ...customer, out: TicketDetail }),
  create: post('/account/v2/ticket/', {
    ...customer,
    errors: [429, 503],
    in: z.object({
      subject: z.string().trim().min(1).max(200),
      domain: z.string().trim().toLowerCase().max(253).nullable().default(null),
      message: Message,
      context: TicketContext.prefault({}),
    }),
    out: z.object({ ticketId: z.string(), id: z.string() }),
    audit: 'ticket.create',
    changes: [],
    summary: 'Asks for help; answers the ticket id to quote.',
  }),
  reply: post('/account/v2/tickets/{id}/messages/', {
    ...customer,
    errors: [429, 503],
    in: z.object({ message: Message }),
    out: TicketDetail,
    audit: 'ticket.reply',
    changes: [],
  }),
  close: post('/account/v2/tickets/{id}/close/', {
    ...customer,
    errors: [503],
    out: TicketDetail,
    audit: 'ticket.close',
    changes: [],
  }),
  token: get('/account/v2/ticket/{provider}/', {
    ...customer,
    personal: true,
    out: z.object({
      jwtToken: z.string(),
      /** The help desk's own pages, signed in as the caller by the token in it. */ url: z.string(),
    }),
    summary: 'Opens the help desk outside, where the installation has one; the token is good for five minutes.',
  }),
  contact: post('/hubspot/', {
    ...customer,
    personal: true,
    errors: [503],
    in: z.object({ contactId: z.string().max(40).nullable().default(null), email: Email.optional() }),
    out: z.object({ contactId: z.string() }),
    audit: null,
    changes: [],
    summary: "The caller's contact at HubSpot, made when there is none yet.",
  }),
  all: get('/operator/v2/tickets/', { fromReplica: true, ...operator, in: Query, out: page(Ticket) }),
  open: get('/operator/v2/tickets/{ticket}/', { ...operator, out: TicketDetail }),
  answer: post('/operator/v2/tickets/{ticket}/messages/', {
    ...operator,
    errors: [503],
    in: z.object({ message: Message }),
    out: TicketDetail,
    audit: 'ticket.answer',
    changes: [],
  }),
  setState: patch('/operator/v2/tickets/{ticket}/', {
    ...operator,
    errors: [503],
    in: z.object({ state: TicketState }),
    out: TicketDetail,
    audit: 'ticket.state',
    changes: [],
  }),
})
