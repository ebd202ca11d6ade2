import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'invite-elsewhere'> = ({ inviter, organization }, { companyName }) => ({
  subject: `${inviter} invited you to ${organization} on ${companyName}`,
  heading: `An invitation to ${organization}`,
  lines: [
    `${inviter} invited you to work on the sites of ${organization} in ${companyName}.`,
    'This address already belongs to an account of another organisation, and one address can have one account only.',
  ],
  notes: [
    'To join, ask the sender to invite you under another address.',
    'If you do not know the sender, ignore this letter.',
  ],
})
