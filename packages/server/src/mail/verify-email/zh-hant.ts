import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'verify-email'> = ({ hours }, { companyName }) => ({
  subject: `確認你在 ${companyName} 的電子郵件地址`,
  heading: '確認你的電子郵件地址',
  lines: ['你好：', `請確認此地址為你所有，以便我們就你的 ${companyName} 帳號與你聯絡。`],
  button: '確認地址',
  notes: [`此連結在 ${hours} 小時內有效，且僅能使用一次。`, '若你並未註冊，請忽略此信，不會有任何變更。'],
})
