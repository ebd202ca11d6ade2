import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'account-exists'> = ({ firstName, resetLink }, { companyName }) => ({
  subject: `你已經有 ${companyName} 帳號`,
  heading: '你已經有帳號',
  lines: [`${firstName}，你好：`, '有人（可能是你）使用此地址註冊。此地址已屬於你的帳號，因此沒有建立第二個帳號。'],
  button: '登入',
  more: { label: '忘記密碼？設定新密碼', link: resetLink },
  notes: ['若不是你本人所為，請忽略此信，不會有任何變更。'],
})
