import type { LetterWriter } from '../letter-text.ts'
import { levelOf } from './level.ts'

export const zhHant: LetterWriter<'notification'> = ({ title, text, level, cause, change, leftOut = 0 }) => ({
  subject: title,
  heading: title,
  lines: text ? [text] : [],
  level: { name: levelOf(level), label: LEVELS[levelOf(level)] },
  facts: [
    ...(cause === null ? [] : [{ label: '原因', value: cause }]),
    ...(change === null ? [] : [{ label: '不久前的變更', value: change }]),
  ],
  button: '前往查看',
  notes: [
    ...(leftOut > 0 ? [`另有 ${leftOut} 則通知因數量過多未以郵件寄送，可在資訊中心查看。`] : []),
    '你可以在資訊中心選擇哪些通知以郵件寄送。',
  ],
})

const LEVELS = { critical: '嚴重', warning: '警告', notice: '注意', info: '資訊' }
