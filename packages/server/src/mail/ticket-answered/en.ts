import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'ticket-answered'> = ({ ticket, subject, answer }) => ({
  subject: `Answer to ticket ${ticket}: ${subject}`,
  heading: `Ticket ${ticket} was answered`,
  lines: [subject, ...answer.split('\n')],
  button: 'Read and reply',
  notes: ['Please answer on that page, not by replying to this letter.'],
})
