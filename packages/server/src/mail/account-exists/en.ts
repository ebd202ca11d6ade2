import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'account-exists'> = ({ firstName, resetLink }, { companyName }) => ({
  subject: `You already have a ${companyName} account`,
  heading: 'You already have an account',
  lines: [
    `Hello ${firstName},`,
    'somebody, perhaps you, signed up with this address. It already belongs to your account, so no second one was made.',
  ],
  button: 'Sign in',
  more: { label: 'Forgotten the password? Choose a new one', link: resetLink },
  notes: ['If it was not you, ignore this letter; nothing has changed.'],
})
