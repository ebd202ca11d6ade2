import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'invite'> = ({ inviter, organization, days }, { companyName }) => ({
  subject: `${inviter} invites you to ${organization} on ${companyName}`,
  heading: `Join ${organization}`,
  lines: [`${inviter} invites you to work on the sites of ${organization} in ${companyName}.`],
  button: 'Set up your account',
  notes: [
    `The invitation is open for ${days} ${days === 1 ? 'day' : 'days'}.`,
    'If you do not know the sender, ignore this letter; no account is made.',
  ],
})
