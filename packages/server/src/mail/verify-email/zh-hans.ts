import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'verify-email'> = ({ hours }, { companyName }) => ({
  subject: `确认你在 ${companyName} 的电子邮件地址`,
  heading: '确认你的电子邮件地址',
  lines: ['你好：', `请确认此地址为你所有，以便我们就你的 ${companyName} 账号与你联系。`],
  button: '确认地址',
  notes: [`此链接在 ${hours} 小时内有效，且仅能使用一次。`, '如果你没有注册，请忽略此邮件，不会有任何更改。'],
})
