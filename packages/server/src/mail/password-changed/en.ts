import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const en: LetterWriter<'password-changed'> = ({ firstName, at, ip }, { companyName }) => ({
  subject: `Your ${companyName} password was changed`,
  heading: 'Your password was changed',
  lines: [
    `Hello ${firstName},`,
    'the password of your account has just been changed. All other sessions were signed out.',
  ],
  facts: [
    { label: 'When', value: moment('en', at) },
    { label: 'From', value: ip },
  ],
  notes: [
    'If this was not you, reset your password at once from the sign-in page and tell the administrator of your organisation.',
  ],
})
