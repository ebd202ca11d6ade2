import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHant: LetterWriter<'password-changed'> = ({ firstName, at, ip }, { companyName }) => ({
  subject: `你的 ${companyName} 密碼已變更`,
  heading: '密碼已變更',
  lines: [`${firstName}，你好：`, '你帳號的密碼剛剛已變更，其他所有工作階段皆已登出。'],
  facts: [
    { label: '時間', value: moment('zh-Hant', at) },
    { label: '來源', value: ip },
  ],
  notes: ['若不是你本人所為，請立即從登入頁面重設密碼，並通知組織的管理員。'],
})
