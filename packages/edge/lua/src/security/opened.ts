import { afterUndoing, codingsOf, type Opened } from '@fairway/domain/web-security'
import { undo } from './undo.ts'

/** Whether the visitor has sent its body in some coding. */
export const isCoded = (): boolean => ngx.var.http_content_encoding !== undefined

/**
 * A body as its origin reads it: its codings undone, `most` bytes at most. What goes on to the origin stays as it came.
 */
export function opened(body: string, wasCut: boolean, most: number): Opened {
  const said = ngx.req.get_headers(0, false)['content-encoding']
  return openedBy(
    said === undefined || typeof said === 'boolean' ? [] : typeof said === 'string' ? [said] : said,
    body,
    wasCut,
    most,
  )
}

export function openedBy(said: string[], body: string, wasCut: boolean, most: number): Opened {
  const codings = codingsOf(said)
  if (typeof codings === 'string') return { text: '', cut: false, problem: codings }
  let now: Opened = { text: body, cut: wasCut, problem: '' }
  for (let i = codings.length - 1; i >= 0; i--) {
    const coding = codings[i]
    if (coding === undefined || now.problem !== '') continue
    now = afterUndoing(undo(coding, now.text, most), now.cut, most, body.length)
  }
  return now
}
