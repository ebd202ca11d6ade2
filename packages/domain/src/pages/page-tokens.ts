import type { PageKind, PageProblem, PageValues } from '@fairway/contract'

/** Tokens of a page, written `::NAME::`, with what previews show for them. */
export const PAGE_TOKENS: PageValues = {
  CLIENT_IP: '203.0.113.7',
  HOST: 'www.example.com',
  REQUEST_ID: '3f8a61c0d2b94e57a1c6f0b87d24e913',
  STATUS: '502',
  TIME: '2026-01-31T09:30:00Z',
}

/** What a page of web security has to hold for its visitors to get any further, each of its own kind only. */
export const PAGE_BOXES: Partial<Record<PageKind, string>> = { challenge: 'CHALLENGE', captcha: 'CAPTCHA_BOX' }

/** Without the id, a visitor who complains names nothing that can be found. */
const NEEDED: Record<PageKind, string[]> = {
  errors: ['REQUEST_ID'],
  maintenance: [],
  blocked: ['REQUEST_ID'],
  'rate-limited': [],
  challenge: ['CHALLENGE'],
  captcha: ['CAPTCHA_BOX'],
}

/**
 * The page as a visitor gets it. The edge does the same; a value can do nothing in HTML, in a script or in an address.
 * A box is HTML of ours, and put in as it is.
 */
export function fillPage(html: string, values: PageValues, boxes: Readonly<Record<string, string>> = {}): string {
  return html.replaceAll(/::([A-Z_]+)::/g, (whole, name: string) =>
    isToken(name) ? plain(values[name]) : (boxes[name] ?? whole),
  )
}

/** What is wrong with a page of this kind, in the order of its lines. */
export function checkPage(kind: PageKind, html: string): PageProblem[] {
  if (!LOOKS_LIKE_A_PAGE.test(html)) return [{ line: 1, column: 1, level: 'error', code: 'not-a-page', text: '' }]
  const at = positions(html)
  const problems: PageProblem[] = []
  const seen = new Set<string>()
  for (const { 0: whole, 1: name = '', index } of html.matchAll(/::([A-Za-z][A-Za-z_]*)::/g)) {
    if (isToken(name) || name === PAGE_BOXES[kind]) seen.add(name)
    else if (name === name.toUpperCase()) problems.push({ ...at(index), level: 'error', code: 'unknown', text: whole })
    else if (isToken(name.toUpperCase())) problems.push({ ...at(index), level: 'warning', code: 'case', text: whole })
  }
  for (const { index, text } of fetched(html))
    problems.push({ ...at(index), level: 'warning', code: 'external', text: text.slice(0, 80) })
  problems.sort((a, b) => a.line - b.line || a.column - b.column)
  const missing = NEEDED[kind]
    .filter((name) => !seen.has(name))
    .map((name): PageProblem => ({ ...at(html.length), level: 'error', code: 'missing', text: `::${name}::` }))
  return [...problems, ...missing]
}

const LOOKS_LIKE_A_PAGE = /<(?:!doctype html|html|head|body|main|title|h[1-6]|p|div|section)[\s>]/i

/** What a browser would fetch for the page, which may be just what is out of order. */
function* fetched(html: string): Generator<{ index: number; text: string }> {
  const tags =
    /<(?:script|img|link|iframe|source|video|audio|embed|object)\b[^>]*?\s(?:src|href|data|poster|srcset)\s*=\s*["']?([^"'\s>]+)/gi
  for (const { 1: text = '', index } of html.matchAll(tags)) if (isFetched(text)) yield { index, text }
  for (const { 1: text = '', index } of html.matchAll(/(?:url\(|@import\s)\s*["']?([^"')\s;]+)/gi))
    if (isFetched(text)) yield { index, text }
}

const isFetched = (address: string): boolean => !/^(?:data:|#|blob:)/i.test(address)

function isToken(name: string): name is keyof PageValues {
  return Object.hasOwn(PAGE_TOKENS, name)
}

const plain = (value: string): string => value.replaceAll(/[^A-Za-z0-9.:_-]/g, '')

/** Line and column of places in a text, both counted from 1. */
function positions(text: string): (index: number) => { line: number; column: number } {
  const starts = [0]
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (index) => {
    let line = starts.length
    while (line > 1 && (starts[line - 1] ?? 0) > index) line--
    return { line, column: index - (starts[line - 1] ?? 0) + 1 }
  }
}
