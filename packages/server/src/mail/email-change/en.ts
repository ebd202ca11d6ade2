import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'email-change'> = ({ code, minutes }, { companyName }) => ({
  subject: `${code} confirms your new ${companyName} address`,
  heading: 'Confirm your new address',
  lines: ['Hello,', 'enter this code in your profile, so that this address becomes the one of your account.'],
  facts: [{ label: 'Code', value: code }],
  notes: [
    `The code works for ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`,
    'If you have not asked for this, ignore this letter; your account keeps its address.',
  ],
})
