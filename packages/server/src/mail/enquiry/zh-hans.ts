import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'enquiry'> = ({ email, name, company, message, page }) => ({
  subject: `${name} 的询问`,
  heading: `${name} 的询问`,
  lines: message.split('\n'),
  facts: [
    { label: '电子邮件', value: email },
    ...(company === '' ? [] : [{ label: '公司', value: company }]),
    { label: '页面', value: page },
  ],
})
