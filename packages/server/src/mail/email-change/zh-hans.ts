import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'email-change'> = ({ code, minutes }, { companyName }) => ({
  subject: `${code} 是你确认新 ${companyName} 地址的代码`,
  heading: '确认你的新地址',
  lines: ['你好：', '请在个人资料中输入此代码，让此地址成为你账号的地址。'],
  facts: [{ label: '代码', value: code }],
  notes: [`此代码在 ${minutes} 分钟内有效。`, '如果你没有提出请求，请忽略此邮件，你的账号地址保持不变。'],
})
