import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHans: LetterWriter<'sign-in-added'> = ({ firstName, way, name, at, ip }, { companyName }) => ({
  subject: `你的 ${companyName} 账号新增了登录方式`,
  heading: way === 'passkey' ? '已添加通行密钥' : '已关联 Google 账号',
  lines: [`${firstName}，你好：`, '从现在起，也可以用它登录你的账号。'],
  facts: [
    { label: way === 'passkey' ? '通行密钥' : 'Google 账号', value: name },
    { label: '时间', value: moment('zh-Hans', at) },
    { label: '来源', value: ip },
  ],
  notes: ['如果不是你本人所为，请立即在登录页面索取新密码，并一并移除其他所有登录方式。'],
})
