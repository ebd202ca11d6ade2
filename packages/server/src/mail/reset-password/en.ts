import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'reset-password'> = ({ firstName, minutes }, { companyName }) => ({
  subject: `Reset your ${companyName} password`,
  heading: 'Reset your password',
  lines: [`Hello ${firstName},`, 'somebody, most likely you, asked for a new password for this account.'],
  button: 'Choose a new password',
  notes: [
    `The link works for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'} and once.`,
    'If it was not you, ignore this letter; your password stays as it is.',
  ],
})
