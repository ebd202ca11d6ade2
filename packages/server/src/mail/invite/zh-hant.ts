import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'invite'> = ({ inviter, organization, days }, { companyName }) => ({
  subject: `${inviter} 邀請你加入 ${companyName} 上的 ${organization}`,
  heading: `加入 ${organization}`,
  lines: [`${inviter} 邀請你在 ${companyName} 上共同管理 ${organization} 的網站。`],
  button: '設定你的帳號',
  notes: [`此邀請在 ${days} 天內有效。`, '若你不認識寄件者，請忽略此信，不會建立任何帳號。'],
})
