import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHant: LetterWriter<'address-changed'> = ({ firstName, from, to, at, ip }, { companyName }) => ({
  subject: `你的 ${companyName} 帳號電子郵件地址已變更`,
  heading: '電子郵件地址已變更',
  lines: [`${firstName}，你好：`, '從現在起請以新地址登入，信件也會寄到那裡。'],
  facts: [
    { label: '舊地址', value: from },
    { label: '新地址', value: to },
    { label: '時間', value: moment('zh-Hant', at) },
    { label: '來源', value: ip },
  ],
  notes: ['若不是你本人所為，請立即通知組織的管理員：之後只能用新地址索取新密碼。'],
})
