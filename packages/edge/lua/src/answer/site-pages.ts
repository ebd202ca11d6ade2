import { pageUnder } from '../policy/held.ts'
import type { Pieces } from './page.ts'
import type { Language } from './page-words.ts'

/** A page as it is written, cut at its tokens: a name follows each text but the last. */
type Cut = { texts: string[]; names: string[] }

// Pages of this worker, by file; a file's name is its content, so none is ever out of date.
let pages: Record<string, Cut | undefined> = {}
let bytes = 0
const BYTES_MAX = 16_000_000
/** What a cut takes beside its text. */
const TOKEN_BYTES = 80

/** The first of the pages that is there, in the visitor's language where it has several, with its tokens filled in. */
export function sitePage(
  keys: string[],
  language: Language,
  status: number,
  box = '',
  /** HTML of ours in the place of the token `box`. */ content = '',
): Pieces | undefined {
  for (const key of keys) {
    const document = pageUnder(key)
    if (document === undefined) continue
    const file = document.files[language] ?? document.files['any']
    const page = file === undefined ? undefined : pageOf(file)
    if (page !== undefined) return filled(page, status, box, content)
  }
  return undefined
}

function pageOf(file: string): Cut | undefined {
  const known = pages[file]
  if (known !== undefined) return known
  const [opened] = io.open(file, 'rb')
  if (opened === undefined) return undefined
  const text = opened.read('*a')
  opened.close()
  if (text === undefined) return undefined
  const page = cut(text)
  const size = text.length + page.names.length * TOKEN_BYTES
  if (bytes + size > BYTES_MAX) {
    pages = {}
    bytes = 0
  }
  pages[file] = page
  bytes += size
  return page
}

/** Looking for tokens in a page costs more than all else that a refusal takes: it is done once. */
function cut(text: string): Cut {
  const page: Cut = { texts: [], names: [] }
  let from = 1
  for (;;) {
    const [at, end, name] = string.find(text, '::([A-Z_]+)::', from)
    if (at === undefined || end === undefined || name === undefined) break
    page.texts.push(text.slice(from - 1, at - 1))
    page.names.push(name)
    from = end + 1
  }
  page.texts.push(text.slice(from - 1))
  return page
}

/** The same as `fillPage` of the domain; a token that is not one of these stays as it is written. */
function filled({ texts, names }: Cut, status: number, box: string, content: string): Pieces {
  const values: Record<string, string | undefined> = {
    CLIENT_IP: plain(ngx.var.fw_from),
    HOST: plain(ngx.var.fw_asked),
    REQUEST_ID: plain(ngx.var.fw_incident),
    STATUS: `${status}`,
    TIME: os.date('!%Y-%m-%dT%H:%M:%SZ', ngx.time()),
  }
  if (box !== '') values[box] = content
  const parts = [texts[0] ?? '']
  for (let nth = 0; nth < names.length; nth++) {
    const name = names[nth] ?? ''
    parts.push(values[name] ?? `::${name}::`, texts[nth + 1] ?? '')
  }
  return parts
}

/** Only what can do nothing in HTML, in a script or in an address. */
function plain(value: string | undefined): string {
  const [text] = string.gsub(value ?? '', '[^%w.:_-]', '')
  return text
}
