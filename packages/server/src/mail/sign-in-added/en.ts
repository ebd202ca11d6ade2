import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const en: LetterWriter<'sign-in-added'> = ({ firstName, way, name, at, ip }, { companyName }) => ({
  subject: `A new way to sign in to ${companyName}`,
  heading: way === 'passkey' ? 'A passkey was added' : 'A Google account was connected',
  lines: [`Hello ${firstName},`, 'from now on this signs in to your account, too.'],
  facts: [
    { label: way === 'passkey' ? 'Passkey' : 'Google account', value: name },
    { label: 'When', value: moment('en', at) },
    { label: 'From', value: ip },
  ],
  notes: [
    'If this was not you, ask for a new password on the sign-in page at once, and let it remove all other ways to sign in.',
  ],
})
