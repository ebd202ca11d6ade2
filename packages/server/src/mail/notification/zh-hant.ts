import type { LetterWriter } from '../letter-text.ts'
import { levelOf } from './level.ts'

export const zhHant: LetterWriter<'notification'> = ({ title, text, level, cause, change }) => ({
  subject: title,
  heading: title,
  lines: text ? [text] : [],
  level: { name: levelOf(level), label: LEVELS[levelOf(level)] },
  facts: [
    ...(cause === null ? [] : [{ label: '原因', value: cause }]),
    ...(change === null ? [] : [{ label: '不久前的變更', value: change }]),
  ],
  button: '前往查看',
  notes: ['你可以在資訊中心選擇哪些通知以郵件寄送。'],
})

const LEVELS = { critical: '嚴重', warning: '警告', notice: '注意', info: '資訊' }
