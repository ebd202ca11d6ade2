import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'reset-password'> = ({ firstName, minutes }, { companyName }) => ({
  subject: `重設你的 ${companyName} 密碼`,
  heading: '重設密碼',
  lines: [`${firstName}，你好：`, '我們收到了為此帳號重設密碼的要求。'],
  button: '設定新密碼',
  notes: [`此連結在 ${minutes} 分鐘內有效，且僅能使用一次。`, '若不是你本人要求，請忽略此信，密碼維持不變。'],
})
