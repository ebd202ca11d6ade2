import type { PostProcessorModule } from 'i18next'

/** Every language that may come is at most so much longer than English. */
const LONGER = 0.4
const FILLER = 'ēxtrā wōrds fōr lōngēr lāngūāgēs '
const ACCENTED: Readonly<Record<string, string>> = {
  a: 'ā',
  e: 'ē',
  i: 'ī',
  o: 'ō',
  u: 'ū',
  A: 'Ā',
  E: 'Ē',
  I: 'Ī',
  O: 'Ō',
  U: 'Ū',
}

/**
 * A text that is 40 % longer and has marks on its vowels: what is not in a catalog stands out, and what has no room
 * breaks.
 */
export function lengthen(text: string): string {
  if (text.trim() === '') return text
  const extra = Math.ceil(text.length * LONGER)
  const accented = text.replaceAll(/[aeiouAEIOU]/g, (letter) => ACCENTED[letter] ?? letter)
  return `${accented} ${FILLER.repeat(Math.ceil(extra / FILLER.length)).slice(0, Math.max(1, extra - 1))}`.trimEnd()
}

/** For tests of the layout: on in a browser whose storage has `fairway.pseudo`. */
export const pseudo: PostProcessorModule = {
  type: 'postProcessor',
  name: 'pseudo',
  process: (text) => lengthen(String(text)),
}
