import type { LetterWriter } from '../letter-text.ts'

export const zhHant: LetterWriter<'email-change'> = ({ firstName, code, minutes }, { companyName }) => ({
  subject: `${code} 是您確認新 ${companyName} 地址的代碼`,
  heading: '確認您的新地址',
  lines: [`${firstName}，您好：`, '請在個人資料中輸入此代碼，讓此地址成為您帳號的地址。'],
  facts: [{ label: '代碼', value: code }],
  notes: [`此代碼在 ${minutes} 分鐘內有效。`, '若您並未提出要求，請忽略此信，您的帳號地址維持不變。'],
})
