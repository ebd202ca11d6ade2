import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'ticket-answered'> = ({ ticket, subject, answer }) => ({
  subject: `工單 ${ticket} 已有回覆：${subject}`,
  heading: `工單 ${ticket} 已有回覆`,
  lines: [subject, ...answer.split('\n')],
  button: '查看並回覆',
  notes: ['請在該頁面回覆，不要直接回覆此信。'],
})
