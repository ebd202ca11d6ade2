import * as json from 'cjson.safe'
import { type Content, CONTENT_BYTES, jsonTexts, kindOf, parametersOf, PARTS_BYTES } from '@fairway/domain/web-security'
import { readBody } from '../visitor-body.ts'
import { isCoded, opened } from './opened.ts'

/** From each end, of a field that is sent many times: an origin takes the first or the last. */
const MOST_OF_EACH = 4

/**
 * Every value of a field that the visitor has sent. Who sends two leaves it open which of them the origin takes, so that
 * none is left out of what is counted.
 */
export function contentField(payload: 'form' | 'json', name: string): string[] {
  const all = allOf(payload, name)
  if (all.length <= 2 * MOST_OF_EACH) return all
  return [...all.slice(0, MOST_OF_EACH), ...all.slice(all.length - MOST_OF_EACH)]
}

function allOf(payload: 'form' | 'json', name: string): string[] {
  const text = contentText()
  if (text === undefined) return []
  if (payload === 'json') {
    const found = jsonTexts(text, name)
    const meant = jsonField(text, name)
    if (meant !== undefined && !found.includes(meant)) found.push(meant)
    return found
  }
  const type = (ngx.var.content_type ?? '').toLowerCase()
  const mark = type.indexOf('boundary=')
  if (!type.startsWith('multipart/') || mark < 0) return parametersOf(`?${text}`, name)
  return partsOf(text, name)
}

/** Only read for who asks: nginx keeps it for the origin all the same. */
function contentText(): string | undefined {
  readBody()
  const sent = sentText()
  if (sent === undefined || !isCoded()) return sent
  const { text, problem } = opened(sent, sent.length >= CONTENT_BYTES, CONTENT_BYTES)
  return problem === '' ? text : undefined
}

function sentText(): string | undefined {
  const held = ngx.req.get_body_data()
  if (held !== undefined) return held.slice(0, CONTENT_BYTES)
  const file = ngx.req.get_body_file()
  if (file === undefined) return undefined
  const [kept] = io.open(file, 'rb')
  if (kept === undefined) return undefined
  const text = kept.read(CONTENT_BYTES)
  kept.close()
  return text
}

/** Bytes of what the visitor sends, as far as the head says it; undefined where only what comes can tell. */
export function sizeSaid(): string | undefined {
  if (ngx.var.http_transfer_encoding !== undefined) return undefined
  // Of HTTP/2 no header has to speak of a body.
  return ngx.var.http_content_length ?? (ngx.var.server_protocol === 'HTTP/2.0' ? undefined : '0')
}

/** The same of all that has come. */
export function sizeSent(): string {
  readBody()
  return `${textOfContent(0).size}`
}

/** What the visitor has sent, for who holds it against a schema. */
export function contentOf(): Content {
  const length = ngx.var.http_content_length
  const mayHave = length !== undefined ? length !== '0' : ngx.var.http_transfer_encoding !== undefined
  // Of HTTP/2 no header has to speak of a body.
  if (!mayHave && ngx.var.server_protocol !== 'HTTP/2.0') return NO_CONTENT
  readBody()
  return readContent()
}

/** The same of what nginx has read already. */
export function readContent(): Content {
  // Files make a form long.
  const isParts = kindOf(ngx.var.http_content_type ?? '', 1) === 'multipart'
  const most = isParts ? PARTS_BYTES : CONTENT_BYTES
  const content = textOfContent(most)
  if (content.size === 0 || content.state === 'cut' || !isCoded()) return content
  const { text, cut, problem } = opened(content.text, false, most)
  if (problem !== '') return { text: '', size: content.size, state: 'unread' }
  return cut ? { text: '', size: most + 1, state: 'cut' } : { text, size: text.length, state: 'whole' }
}

function textOfContent(most: number): Content {
  const held = ngx.req.get_body_data()
  if (held !== undefined) {
    if (held.length <= most) return { text: held, size: held.length, state: 'whole' }
    return { text: '', size: held.length, state: 'cut' }
  }
  const file = ngx.req.get_body_file()
  if (file === undefined) return NO_CONTENT
  const [kept] = io.open(file, 'rb')
  if (kept === undefined) return { text: '', size: most + 1, state: 'cut' }
  const text = kept.read(most) ?? ''
  const [size] = kept.seek('end')
  kept.close()
  return size !== undefined && size <= most
    ? { text, size, state: 'whole' }
    : { text: '', size: size ?? most + 1, state: 'cut' }
}
const NO_CONTENT: Content = { text: '', size: 0, state: 'whole' }

function jsonField(text: string, name: string): string | undefined {
  let value = json.decode(text)
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === undefined) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  if (typeof value === 'string') return value
  return typeof value === 'number' ? `${value}` : undefined
}

/** RFC 7578: the parts that name the field, however, each up to the line that begins the next. */
function partsOf(text: string, name: string): string[] {
  const found: string[] = []
  for (const said of [`name="${name}"`, `name=${name}`]) {
    for (let at = text.indexOf(said); at >= 0 && found.length < MOST_PARTS; at = text.indexOf(said, at + 1)) {
      const begins = text.indexOf('\r\n\r\n', at)
      const ends = begins < 0 ? -1 : text.indexOf('\r\n--', begins + 4)
      if (ends >= 0) found.push(text.slice(begins + 4, ends))
    }
  }
  return found
}
const MOST_PARTS = 100
