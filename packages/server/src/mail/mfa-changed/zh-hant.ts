import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHant: LetterWriter<'mfa-changed'> = ({ firstName, on, at, ip }, { companyName }) => ({
  subject: `你的 ${companyName} 帳號已${on ? '開啟' : '關閉'}兩步驟登入`,
  heading: `兩步驟登入已${on ? '開啟' : '關閉'}`,
  lines: [
    `${firstName}，你好：`,
    on
      ? '現在登入需要密碼以及驗證器應用程式的代碼。請將復原碼保存在安全的地方。'
      : '現在登入只需要密碼。你可以在個人資料中再次開啟兩步驟登入。',
  ],
  facts: [
    { label: '時間', value: moment('zh-Hant', at) },
    { label: '來源', value: ip },
  ],
  notes: ['若不是你本人所為，請立即更改密碼，並通知組織的管理員。'],
})
