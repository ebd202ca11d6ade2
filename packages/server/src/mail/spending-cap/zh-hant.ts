import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'spending-cap'> = ({ firstName, cap, spent }, { companyName }) => ({
  subject: `你在 ${companyName} 的支出上限`,
  heading: '支出上限',
  lines: [
    `${firstName}，你好：`,
    `本月已支出 ${spent}，上限為 ${cap}。達到上限後，額外計費的項目將停用，直到下個月開始或你提高上限。`,
  ],
  facts: [
    { label: '已支出', value: spent },
    { label: '上限', value: cap },
  ],
  button: '查看用量',
})
