import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'invite-elsewhere'> = ({ inviter, organization, days }, { companyName }) => ({
  subject: `${inviter} 邀请你加入 ${companyName} 上的 ${organization}`,
  heading: `加入 ${organization} 的邀请`,
  lines: [
    `${inviter} 邀请你在 ${companyName} 上共同管理 ${organization} 的站点。`,
    '此地址已属于另一个组织的账号，而每个地址只能拥有一个账号。',
  ],
  button: '告知发件人',
  notes: [
    '发件人并不知情。如需加入，请告知发件人，并改用另一个地址受邀。',
    `此链接在 ${days} 天内有效。`,
    '如果你不认识发件人，请忽略此邮件。',
  ],
})
