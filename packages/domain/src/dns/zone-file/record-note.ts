import { LIMITS, RecordInput, Tag } from '@fairway/contract'
import { isOwnRemark } from './own-remarks.ts'

const TAGS = /(?:^|\s)tags=([^=]*)$/u

/** What the owner notes beside a record. */
export type RecordNote = { comment: string; tags: string[] }

/** A comment of a zone file for what is noted: `the shop's old host tags=shop,old`. Null for nothing. */
export function writeNote({ comment = '', tags = [] }: Partial<RecordNote>): string | null {
  // A comment that reads like tags, or like what an export says by itself, ends with no tags at all.
  const isMistakable = TAGS.test(comment) || isOwnRemark('ALIAS', comment)
  const words = [comment, tags.length > 0 || isMistakable ? `tags=${tags.join(',')}` : ''].filter((word) => word !== '')
  return words.length === 0 ? null : words.join(' ')
}

/**
 * What a comment of a zone file notes, as far as a record can hold it: control characters and words that are no tags are
 * left out, and what is too long is cut. Null for nothing.
 */
export function readNote(text: string): RecordNote | null {
  const [whole, written = ''] = TAGS.exec(text) ?? ['']
  const comment = clean(whole === '' ? text : text.slice(0, -whole.length))
  const tags = readTags(written)
  return comment === '' && tags.length === 0 ? null : { comment, tags }
}

export const readTags = (text: string): string[] =>
  [...new Set(text.split(',').flatMap((word) => Tag.safeParse(word).data ?? []))].slice(0, LIMITS.tagsPerRecord)

export function clean(text: string): string {
  const line = text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, LIMITS.recordComment)
  return RecordInput.shape.comment.safeParse(line.toWellFormed()).data ?? ''
}
