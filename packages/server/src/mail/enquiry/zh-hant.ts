import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'enquiry'> = ({ email, name, company, message, page }) => ({
  subject: `${name} 的詢問`,
  heading: `${name} 的詢問`,
  lines: message.split('\n'),
  facts: [
    { label: '電子郵件', value: email },
    ...(company === '' ? [] : [{ label: '公司', value: company }]),
    { label: '頁面', value: page },
  ],
})
