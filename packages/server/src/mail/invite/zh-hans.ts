import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'invite'> = ({ inviter, organization, days }, { companyName }) => ({
  subject: `${inviter} 邀请你加入 ${companyName} 上的 ${organization}`,
  heading: `加入 ${organization}`,
  lines: [`${inviter} 邀请你在 ${companyName} 上共同管理 ${organization} 的站点。`],
  button: '设置你的账号',
  notes: [`此邀请在 ${days} 天内有效。`, '如果你不认识发件人，请忽略此邮件，不会创建任何账号。'],
})
