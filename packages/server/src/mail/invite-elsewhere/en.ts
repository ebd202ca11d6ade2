import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'invite-elsewhere'> = ({ inviter, organization, days }, { companyName }) => ({
  subject: `${inviter} invited you to ${organization} on ${companyName}`,
  heading: `An invitation to ${organization}`,
  lines: [
    `${inviter} invited you to work on the sites of ${organization} in ${companyName}.`,
    'This address already belongs to an account of another organisation, and one address can have one account only.',
  ],
  button: 'Tell the sender',
  notes: [
    'The sender does not know. To join, tell them, and be invited under another address.',
    `The link works for ${days} ${days === 1 ? 'day' : 'days'}.`,
    'If you do not know the sender, ignore this letter.',
  ],
})
