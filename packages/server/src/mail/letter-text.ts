import type { NotificationLevel } from '@fairway/contract'
import type { MailTemplates } from './templates.ts'

/** What a letter says, before it is laid out. Everything is plain text. */
export type LetterText = {
  subject: string
  heading: string
  lines: readonly string[]
  facts?: readonly { label: string; value: string }[]
  /** Label of the one button; it leads to the field `link`. */
  button?: string
  /** Another way, as a link below the button. */
  more?: { label: string; link: string }
  /** Small print below. */
  notes?: readonly string[]
  level?: { name: NotificationLevel; label: string }
}

export type Brand = { companyName: string }
export type LetterWriter<T extends keyof MailTemplates> = (fields: MailTemplates[T], brand: Brand) => LetterText
