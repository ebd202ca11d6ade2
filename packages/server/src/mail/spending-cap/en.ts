import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'spending-cap'> = ({ firstName, cap, spent }, { companyName }) => ({
  subject: `Your ${companyName} spending cap`,
  heading: 'Your spending cap',
  lines: [
    `Hello ${firstName},`,
    `${spent} of your cap of ${cap} are spent this month. At the cap, what costs extra is switched off until the next month begins or you raise it.`,
  ],
  facts: [
    { label: 'Spent', value: spent },
    { label: 'Cap', value: cap },
  ],
  button: 'Look at the usage',
})
