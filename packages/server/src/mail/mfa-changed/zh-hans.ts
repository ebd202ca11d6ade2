import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHans: LetterWriter<'mfa-changed'> = ({ firstName, on, at, ip }, { companyName }) => ({
  subject: `你的 ${companyName} 账号已${on ? '开启' : '关闭'}两步登录`,
  heading: `两步登录已${on ? '开启' : '关闭'}`,
  lines: [
    `${firstName}，你好：`,
    on
      ? '现在登录需要密码以及验证器应用的代码。请将恢复码保存在安全的地方。'
      : '现在登录只需要密码。你可以在个人资料中再次开启两步登录。',
  ],
  facts: [
    { label: '时间', value: moment('zh-Hans', at) },
    { label: '来源', value: ip },
  ],
  notes: ['如果不是你本人所为，请立即更改密码，并通知组织的管理员。'],
})
