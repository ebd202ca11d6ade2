import type { TicketContext } from '@fairway/contract'

/** What is asked, with everything that helps to answer it; texts are redacted already. */
export type TicketOrder = {
  subject: string
  text: string
  domain: string | null
  planName: string
  email: string
  organization: string
  context: TicketContext
}

/** Where tickets are answered. `embedded` is the operator's own area: it needs nothing from outside. */
export type TicketDesk = {
  name: 'embedded' | 'hubspot'
  /** Opens a ticket and answers the id that people quote. @throws DeskAway */
  create(order: TicketOrder): Promise<string>
  /** Adds what the customer writes later. @throws DeskAway */
  note(ticketId: string, text: string, email: string): Promise<void>
  /**
   * The id under which a person is known there, who is made known when they are not; null where nobody has to be.
   * @throws DeskAway
   */
  contact(email: string): Promise<string | null>
  /** The customer needs no answer any more. @throws DeskAway */
  close(ticketId: string): Promise<void>
}

/** The help desk does not answer, or refuses; the message is for the log. */
export class DeskAway extends Error {}

/** The help desk has no such ticket (any more). */
export class DeskGone extends DeskAway {}
