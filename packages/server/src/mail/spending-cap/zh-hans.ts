import type { LetterWriter } from '../letter-text.ts'

export const zhHans: LetterWriter<'spending-cap'> = ({ firstName, cap, spent }, { companyName }) => ({
  subject: `你在 ${companyName} 的支出上限`,
  heading: '支出上限',
  lines: [
    `${firstName}，你好：`,
    `本月已支出 ${spent}，上限为 ${cap}。达到上限后，额外计费的项目将停用，直到下个月开始或你提高上限。`,
  ],
  facts: [
    { label: '已支出', value: spent },
    { label: '上限', value: cap },
  ],
  button: '查看用量',
})
