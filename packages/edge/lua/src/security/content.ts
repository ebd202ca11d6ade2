import * as json from 'cjson.safe'
import { parametersOf } from '@fairway/domain/web-security'

/** More of a login is not looked at: what it hides behind so much, it hides from the count by account only. */
const MOST_BYTES = 65_536

/** A field of what the visitor has sent; undefined where it is not there or not written so. */
export function contentField(payload: 'form' | 'json', name: string): string | undefined {
  const text = contentText()
  if (text === undefined) return undefined
  if (payload === 'json') return jsonField(text, name)
  const type = (ngx.var.content_type ?? '').toLowerCase()
  const mark = type.indexOf('boundary=')
  if (!type.startsWith('multipart/') || mark < 0) return parametersOf(`?${text}`, name)[0]
  return partField(text, name)
}

/** Only read for who asks: nginx keeps it for the origin all the same. */
function contentText(): string | undefined {
  ngx.req.read_body()
  const held = ngx.req.get_body_data()
  if (held !== undefined) return held.slice(0, MOST_BYTES)
  const file = ngx.req.get_body_file()
  if (file === undefined) return undefined
  const [opened] = io.open(file, 'rb')
  if (opened === undefined) return undefined
  const text = opened.read(MOST_BYTES)
  opened.close()
  return text
}

function jsonField(text: string, name: string): string | undefined {
  let value = json.decode(text)
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === undefined) return undefined
    value = (value as Record<string, unknown>)[part]
  }
  if (typeof value === 'string') return value
  return typeof value === 'number' ? `${value}` : undefined
}

/** RFC 7578: the part that names the field, up to the line that begins the next. */
function partField(text: string, name: string): string | undefined {
  const at = text.indexOf(`name="${name}"`)
  const begins = at < 0 ? -1 : text.indexOf('\r\n\r\n', at)
  const ends = begins < 0 ? -1 : text.indexOf('\r\n--', begins + 4)
  return ends < 0 ? undefined : text.slice(begins + 4, ends)
}
