import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const en: LetterWriter<'address-changed'> = ({ firstName, from, to, at, ip }, { companyName }) => ({
  subject: `The address of your ${companyName} account was changed`,
  heading: 'Your e-mail address was changed',
  lines: [`Hello ${firstName},`, 'you sign in with the new address from now on, and letters go there.'],
  facts: [
    { label: 'Old address', value: from },
    { label: 'New address', value: to },
    { label: 'When', value: moment('en', at) },
    { label: 'From', value: ip },
  ],
  notes: [
    'If this was not you, tell the administrator of your organisation at once: a new password can be asked for with the new address only.',
  ],
})
