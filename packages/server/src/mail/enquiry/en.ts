import type { LetterWriter } from '../letter-text.ts'

export const en: LetterWriter<'enquiry'> = ({ email, name, company, message, page }) => ({
  subject: `Question from ${name}`,
  heading: `${name} asks`,
  lines: message.split('\n'),
  facts: [
    { label: 'E-mail', value: email },
    ...(company === '' ? [] : [{ label: 'Company', value: company }]),
    { label: 'Page', value: page },
  ],
})
