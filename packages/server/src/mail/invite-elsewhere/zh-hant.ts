import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'invite-elsewhere'> = ({ inviter, organization, days }, { companyName }) => ({
  subject: `${inviter} 邀請你加入 ${companyName} 上的 ${organization}`,
  heading: `加入 ${organization} 的邀請`,
  lines: [
    `${inviter} 邀請你在 ${companyName} 上共同管理 ${organization} 的網站。`,
    '此地址已屬於另一個組織的帳號，而每個地址只能擁有一個帳號。',
  ],
  button: '告知寄件者',
  notes: [
    '寄件者並不知情。若要加入，請告知寄件者，並改用另一個地址受邀。',
    `此連結在 ${days} 天內有效。`,
    '若你不認識寄件者，請忽略此信。',
  ],
})
