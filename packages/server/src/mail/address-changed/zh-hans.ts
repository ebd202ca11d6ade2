import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHans: LetterWriter<'address-changed'> = ({ firstName, from, to, at, ip }, { companyName }) => ({
  subject: `你的 ${companyName} 账号邮箱地址已更改`,
  heading: '邮箱地址已更改',
  lines: [`${firstName}，你好：`, '从现在起请用新地址登录，邮件也会发送到那里。'],
  facts: [
    { label: '旧地址', value: from },
    { label: '新地址', value: to },
    { label: '时间', value: moment('zh-Hans', at) },
    { label: '来源', value: ip },
  ],
  notes: ['如果不是你本人所为，请立即通知组织的管理员：之后只能用新地址索取新密码。'],
})
