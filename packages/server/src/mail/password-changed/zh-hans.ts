import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHans: LetterWriter<'password-changed'> = ({ firstName, at, ip }, { companyName }) => ({
  subject: `你的 ${companyName} 密码已更改`,
  heading: '密码已更改',
  lines: [`${firstName}，你好：`, '你账号的密码刚刚已更改，其他所有会话均已退出。'],
  facts: [
    { label: '时间', value: moment('zh-Hans', at) },
    { label: '来源', value: ip },
  ],
  notes: ['如果不是你本人所为，请立即从登录页面重设密码，并通知组织的管理员。'],
})
