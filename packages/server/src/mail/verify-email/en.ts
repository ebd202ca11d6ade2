import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'verify-email'> = ({ hours }, { companyName }) => ({
  subject: `Confirm your e-mail address for ${companyName}`,
  heading: 'Confirm your e-mail address',
  lines: [
    'Hello,',
    `please confirm that this address is yours, so that we can reach you about your ${companyName} account.`,
  ],
  button: 'Confirm address',
  notes: [
    `The link works for ${hours} ${hours === 1 ? 'hour' : 'hours'} and once.`,
    'If you have not signed up, ignore this letter; nothing happens.',
  ],
})
