import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHant: LetterWriter<'invoice'> = ({ firstName, number, amount, dueOn }, { companyName }) => ({
  subject: `${companyName} 帳單 ${number}`,
  heading: `帳單 ${number}`,
  lines: [`${firstName}，你好：`, '你的帳單已產生。'],
  facts: [
    { label: '金額', value: amount },
    { label: '付款期限', value: moment('zh-Hant', dueOn) },
  ],
  button: '查看帳單',
})
