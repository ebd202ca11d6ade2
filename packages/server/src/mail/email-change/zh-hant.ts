import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'email-change'> = ({ code, minutes }, { companyName }) => ({
  subject: `${code} 是你確認新 ${companyName} 地址的代碼`,
  heading: '確認你的新地址',
  lines: ['你好：', '請在個人資料中輸入此代碼，讓此地址成為你帳號的地址。'],
  facts: [{ label: '代碼', value: code }],
  notes: [`此代碼在 ${minutes} 分鐘內有效。`, '若你並未提出要求，請忽略此信，你的帳號地址維持不變。'],
})
