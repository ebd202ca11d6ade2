import type { LetterWriter } from '../letter-text.ts'
import { levelOf } from './level.ts'

export const en: LetterWriter<'notification'> = ({ title, text, level, cause, change, leftOut = 0 }) => ({
  subject: title,
  heading: title,
  lines: text ? [text] : [],
  level: { name: levelOf(level), label: LEVELS[levelOf(level)] },
  facts: [
    ...(cause === null ? [] : [{ label: 'Cause', value: cause }]),
    ...(change === null ? [] : [{ label: 'Changed shortly before', value: change }]),
  ],
  button: 'Look at it',
  notes: [
    ...(leftOut > 0
      ? [
          `${leftOut} more notifications were not sent by mail, for there were too many. They are in the information center.`,
        ]
      : []),
    'You choose in the information center what comes by mail.',
  ],
})

const LEVELS = { critical: 'Critical', warning: 'Warning', notice: 'Notice', info: 'Info' }
