import { pageUnder } from '../policy/held.ts'
import type { Language } from './page-words.ts'

// Pages of this worker, by file; a file's name is its content, so none is ever out of date.
let texts: Record<string, string | undefined> = {}
let bytes = 0
const BYTES_MAX = 16_000_000

/** The first of the pages that is there, in the visitor's language where it has several, with its tokens filled in. */
export function sitePage(
  keys: string[],
  language: Language,
  status: number,
  box = '',
  /** HTML of ours in the place of the token `box`. */ content = '',
): string | undefined {
  for (const key of keys) {
    const document = pageUnder(key)
    if (document === undefined) continue
    const file = document.files[language] ?? document.files['any']
    const text = file === undefined ? undefined : textOf(file)
    if (text !== undefined) return filled(text, status, box, content)
  }
  return undefined
}

function textOf(file: string): string | undefined {
  const known = texts[file]
  if (known !== undefined) return known
  const [opened] = io.open(file, 'rb')
  if (opened === undefined) return undefined
  const text = opened.read('*a')
  opened.close()
  if (text === undefined) return undefined
  if (bytes + text.length > BYTES_MAX) {
    texts = {}
    bytes = 0
  }
  texts[file] = text
  bytes += text.length
  return text
}

/** The same as `fillPage` of the domain; a token that is not one of these stays as it is written. */
function filled(text: string, status: number, box: string, content: string): string {
  const values: Record<string, string> = {
    CLIENT_IP: plain(ngx.var.fw_from),
    HOST: plain(ngx.var.fw_asked),
    REQUEST_ID: plain(ngx.var.fw_incident),
    STATUS: `${status}`,
    TIME: os.date('!%Y-%m-%dT%H:%M:%SZ', ngx.time()),
  }
  if (box !== '') values[box] = content
  const [page] = string.gsub(text, '::([A-Z_]+)::', values)
  return page
}

/** Only what can do nothing in HTML, in a script or in an address. */
function plain(value: string | undefined): string {
  const [text] = string.gsub(value ?? '', '[^%w.:_-]', '')
  return text
}
