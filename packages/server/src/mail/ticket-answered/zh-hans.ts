import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'ticket-answered'> = ({ ticket, subject, answer }) => ({
  subject: `工单 ${ticket} 已有回复：${subject}`,
  heading: `工单 ${ticket} 已有回复`,
  lines: [subject, ...answer.split('\n')],
  button: '查看并回复',
  notes: ['请在该页面回复，不要直接回复此邮件。'],
})
