import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const en: LetterWriter<'mfa-changed'> = ({ firstName, on, at, ip }, { companyName }) => ({
  subject: `Two-step sign-in is ${on ? 'on' : 'off'} for your ${companyName} account`,
  heading: `Two-step sign-in is ${on ? 'on' : 'off'}`,
  lines: [
    `Hello ${firstName},`,
    on
      ? 'signing in now asks for your password and a code of your authenticator app. Keep your recovery codes in a safe place.'
      : 'signing in now asks for your password only. You can turn two-step sign-in on again in your profile.',
  ],
  facts: [
    { label: 'When', value: moment('en', at) },
    { label: 'From', value: ip },
  ],
  notes: ['If this was not you, change your password at once and tell the administrator of your organisation.'],
})
