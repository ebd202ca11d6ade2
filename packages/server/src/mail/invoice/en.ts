import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const en: LetterWriter<'invoice'> = ({ firstName, number, amount, dueOn }, { companyName }) => ({
  subject: `Invoice ${number} from ${companyName}`,
  heading: `Invoice ${number}`,
  lines: [`Hello ${firstName},`, 'your invoice is ready.'],
  facts: [
    { label: 'Amount', value: amount },
    { label: 'Due on', value: moment('en', dueOn) },
  ],
  button: 'Open the invoice',
})
