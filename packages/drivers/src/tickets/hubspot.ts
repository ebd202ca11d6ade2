import { z } from 'zod'
import { DeskAway, DeskGone, type TicketDesk, type TicketOrder } from './desk.ts'

export type HubspotSettings = { url: string; token: string; pipeline: string; newStage: string; closedStage: string }

const PATIENCE_MS = 8_000
/** HubSpot's own kinds of association: a ticket with its contact, a note with its ticket. */
const TICKET_TO_CONTACT = 16
const NOTE_TO_TICKET = 228

const Created = z.object({ id: z.string() })
const Found = z.object({ results: z.array(Created) })

/** HubSpot's CRM v3: the person is a contact, the question a ticket of theirs, what follows are notes at the ticket. */
export function hubspotDesk(settings: HubspotSettings): TicketDesk {
  const call = async <T>(out: z.ZodType<T>, method: string, path: string, body: object): Promise<T> => {
    const away = (error: unknown) => {
      throw new DeskAway(`HubSpot does not answer: ${error instanceof Error ? error.message : String(error)}`)
    }
    const response = await fetch(new URL(path, settings.url), {
      method,
      headers: { authorization: `Bearer ${settings.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    }).catch(away)
    const text = await response.text().catch(away)
    if (!response.ok)
      throw new (response.status === 404 ? DeskGone : DeskAway)(
        `HubSpot answered ${response.status} to ${method} ${path}: ${text.slice(0, 300)}`,
      )
    const parsed = out.safeParse(jsonOf(text))
    if (!parsed.success) throw new DeskAway(`HubSpot answered ${method} ${path} with something else`)
    return parsed.data
  }
  const contactOf = async (email: string): Promise<string> => {
    const found = await call(Found, 'POST', '/crm/v3/objects/contacts/search', {
      filterGroups: [{ filters: [{ propertyName: 'email', operator: 'EQ', value: email }] }],
      properties: ['email'],
      limit: 1,
    })
    return (
      found.results[0]?.id ??
      (await call(Created, 'POST', '/crm/v3/objects/contacts', { properties: { email }, associations: [] })).id
    )
  }
  return {
    name: 'hubspot',
    contact: contactOf,
    async create(order) {
      const contact = await contactOf(order.email)
      const ticket = await call(Created, 'POST', '/crm/v3/objects/tickets', {
        properties: {
          subject: order.subject,
          content: contentOf(order),
          hs_pipeline: settings.pipeline,
          hs_pipeline_stage: settings.newStage,
          hs_ticket_priority: 'MEDIUM',
        },
        associations: [associated(contact, TICKET_TO_CONTACT)],
      })
      return ticket.id
    },
    async note(ticketId, text, email) {
      await call(Created, 'POST', '/crm/v3/objects/notes', {
        properties: { hs_timestamp: new Date().toISOString(), hs_note_body: `${email}: ${text}` },
        associations: [associated(ticketId, NOTE_TO_TICKET)],
      })
    },
    async close(ticketId) {
      await call(Created, 'PATCH', `/crm/v3/objects/tickets/${encodeURIComponent(ticketId)}`, {
        properties: { hs_pipeline_stage: settings.closedStage },
      })
    },
  }
}

const associated = (id: string, associationTypeId: number) => ({
  to: { id },
  types: [{ associationCategory: 'HUBSPOT_DEFINED', associationTypeId }],
})

/** The question with what it is about below, as the one text that a ticket has. */
function contentOf({ text, domain, planName, organization, context }: TicketOrder): string {
  const facts: [string, string | null][] = [
    ['Organisation', organization],
    ['Plan', planName],
    ['Domain', domain],
    ['Page', context.page],
    ['Error code', context.errorCode === null ? null : String(context.errorCode)],
    ['Software', context.softwareVersion],
    ['Versions', context.siteVersions.map(({ site, version }) => `${site} ${version}`).join(', ')],
    ['Decisions', context.decisionIds.join(', ')],
    ['Requests', context.requestIds.join(', ')],
  ]
  return [text, '', ...facts.filter(([, value]) => value).map(([name, value]) => `${name}: ${value}`)].join('\n')
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
