import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'account-exists'> = ({ firstName, resetLink }, { companyName }) => ({
  subject: `你已经有 ${companyName} 账号`,
  heading: '你已经有账号',
  lines: [`${firstName}，你好：`, '有人（可能是你）使用此地址注册。此地址已属于你的账号，因此没有创建第二个账号。'],
  button: '登录',
  more: { label: '忘记密码？设置新密码', link: resetLink },
  notes: ['如果不是你本人所为，请忽略此邮件，不会有任何更改。'],
})
