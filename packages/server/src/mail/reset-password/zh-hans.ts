import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'reset-password'> = ({ firstName, minutes }, { companyName }) => ({
  subject: `重设你的 ${companyName} 密码`,
  heading: '重设密码',
  lines: [`${firstName}，你好：`, '我们收到了为此账号重设密码的请求。'],
  button: '设置新密码',
  notes: [`此链接在 ${minutes} 分钟内有效，且仅能使用一次。`, '如果不是你本人请求，请忽略此邮件，密码保持不变。'],
})
