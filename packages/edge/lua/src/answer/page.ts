import type { Language } from './page-words.ts'

const TAGS: Record<Language, string> = { en: 'en', zhHant: 'zh-Hant', zhHans: 'zh-Hans' }

/** Text that is sent as it stands, in pieces: put together, LuaJIT would keep each answer of a flood as a string of its own. */
export type Pieces = string[]

// What is before the incident, by status, words and language: as many as there are reasons to refuse.
const heads: Record<string, string | undefined> = {}

/** A small page of the edge's own. `incident` is the request's id; nothing of the request itself is repeated. */
export function pageHtml(
  status: number,
  title: string,
  sentence: string,
  incident: string,
  language: Language,
): Pieces {
  const key = `${status} ${language} ${title} ${sentence}`
  let head = heads[key]
  if (head === undefined) {
    head = `<!doctype html><html lang="${TAGS[language]}"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${status} ${title}</title>
<style>:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:18vh auto;padding:0 1.5rem}h1{font-size:1.4rem}small{opacity:.7}</style>
<h1>${title}</h1><p>${sentence}</p><p><small>${status} · `
    heads[key] = head
  }
  return [head, incident, '</small></p></html>\n']
}
