import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'payment-failed'> = ({ firstName, amount, reason, stopsOn }, { companyName }) => ({
  subject: `A payment to ${companyName} has failed`,
  heading: 'A payment has failed',
  lines: [
    `Hello ${firstName},`,
    'we could not charge your card. Please check it, so that your sites stay unrestricted.',
    ...(stopsOn
      ? [
          `The account is locked. From ${stopsOn} on, your sites and videos are not served any more; DNS goes on. Paying lifts it at once; live streams stay off until you turn them on.`,
        ]
      : []),
  ],
  facts: [
    { label: 'Amount', value: amount },
    { label: 'Reason', value: reason },
  ],
  button: 'Check the payment',
})
