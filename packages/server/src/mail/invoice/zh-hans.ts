import type { LetterWriter } from '../letter-text.ts'
import { moment } from '../moment.ts'

export const zhHans: LetterWriter<'invoice'> = ({ firstName, number, amount, dueOn }, { companyName }) => ({
  subject: `${companyName} 账单 ${number}`,
  heading: `账单 ${number}`,
  lines: [`${firstName}，你好：`, '你的账单已生成。'],
  facts: [
    { label: '金额', value: amount },
    { label: '付款期限', value: moment('zh-Hans', dueOn) },
  ],
  button: '查看账单',
})
