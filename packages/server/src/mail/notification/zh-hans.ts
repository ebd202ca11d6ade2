import type { LetterWriter } from '../letter-text.ts'
import { levelOf } from './level.ts'

export const zhHans: LetterWriter<'notification'> = ({ title, text, level, cause, change, leftOut = 0 }) => ({
  subject: title,
  heading: title,
  lines: text ? [text] : [],
  level: { name: levelOf(level), label: LEVELS[levelOf(level)] },
  facts: [
    ...(cause === null ? [] : [{ label: '原因', value: cause }]),
    ...(change === null ? [] : [{ label: '不久前的更改', value: change }]),
  ],
  button: '前往查看',
  notes: [
    ...(leftOut > 0 ? [`另有 ${leftOut} 条通知因数量过多未以邮件发送，可在信息中心查看。`] : []),
    '你可以在信息中心选择哪些通知以邮件发送。',
  ],
})

const LEVELS = { critical: '严重', warning: '警告', notice: '注意', info: '信息' }
