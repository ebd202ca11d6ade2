import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHant: LetterWriter<'sign-in-added'> = ({ firstName, way, name, at, ip }, { companyName }) => ({
  subject: `你的 ${companyName} 帳號新增了登入方式`,
  heading: way === 'passkey' ? '已新增通行金鑰' : '已連結 Google 帳號',
  lines: [`${firstName}，你好：`, '從現在起，也可以用它登入你的帳號。'],
  facts: [
    { label: way === 'passkey' ? '通行金鑰' : 'Google 帳號', value: name },
    { label: '時間', value: moment('zh-Hant', at) },
    { label: '來源', value: ip },
  ],
  notes: ['若不是你本人所為，請立即在登入頁面索取新密碼，並一併移除其他所有登入方式。'],
})
