import * as json from 'cjson.safe'
import type { PolicyDocument } from '../policy/documents.ts'
import { frontPort } from '../policy/held.ts'
import { bodyForm, languageOf } from './negotiate.ts'
import { headerText, nameNoServer } from './headers.ts'
import { pageHtml, type Pieces } from './page.ts'
import { type Reason, wordsOf } from './page-words.ts'
import { sitePage } from './site-pages.ts'

/** Seconds after which it is worth asking again, where that can be said (RFC 9110 10.2.3). */
const RETRY_AFTER: Partial<Record<Reason, string>> = {
  maintenance: '300',
  starting: '1',
  fault: '1',
  crowded: '1',
  'no-room': '60',
}

/**
 * Answers in the origin's place and ends the request. Never cached. Faults of a website (500 and above) and what its
 * web security stops show its own page, or its brand's; everything else the edge's small one. Programs get a few bytes they can read.
 */
export function answerPage(status: number, reason: Reason, policy?: PolicyDocument): void {
  const language = languageOf(ngx.var.http_accept_language ?? '')
  const form = bodyForm(ngx.var.http_accept ?? '')
  const { title, sentence } = wordsOf(reason, language)
  const incident = ngx.var.fw_incident ?? ''
  ngx.status = status
  if (policy !== undefined) {
    tellHsts(policy)
    tellReports(policy)
  }
  ngx.header['Cache-Control'] = 'no-store'
  if (reason !== 'rate-limited') ngx.header['Retry-After'] = RETRY_AFTER[reason]
  if (form === 'json')
    return send(
      'application/problem+json',
      json.encode({ type: 'about:blank', status, title, detail: sentence, requestId: incident }) ?? '{}',
    )
  if (form === 'text') return send('text/plain; charset=utf-8', `${status} ${title}\n${incident}\n`)
  const keys = policy === undefined || reason === 'fault' ? undefined : pagesFor(policy, status, reason)
  const own = keys === undefined ? undefined : sitePage(keys, language, status)
  send('text/html; charset=utf-8', own ?? pageHtml(status, title, sentence, incident, language))
}

/** Pages that a website shows for this; none for faults of the request itself. */
function pagesFor({ pages }: PolicyDocument, status: number, reason: Reason): string[] | undefined {
  if (reason === 'maintenance') return pages.maintenance
  if (reason === 'blocked') return pages.blocked
  if (reason === 'rate-limited') return pages.rateLimited
  return status < 500 ? undefined : pages.errors
}

/** Answers with a text of ours that is no page, and ends the request. Never cached. */
export function answerFile(type: string, text: string | Pieces): void {
  ngx.header['Cache-Control'] = 'no-store'
  send(type, text)
}

/** To another address. */
export function answerRedirect(status: 301 | 308, location: string): void {
  ngx.status = status
  ngx.header['Location'] = location
  send('text/plain; charset=utf-8', '')
}

/** Ends the request with a status that says all there is to say (RFC 9110 15.5.13, 15.5.17). */
export function answerNothing(status: number): void {
  ngx.status = status
  ngx.header['Cache-Control'] = 'no-store'
  send('text/plain; charset=utf-8', '')
}

function send(type: string, text: string | Pieces): void {
  nameNoServer()
  ngx.header['Content-Type'] = type
  // A page of ours under a website's name is never taken for a script of it.
  ngx.header['X-Content-Type-Options'] = 'nosniff'
  ngx.header['Content-Length'] = `${lengthOf(text)}`
  ngx.print(text)
  ngx.exit(ngx.HTTP_OK)
}

function lengthOf(text: string | Pieces): number {
  if (typeof text === 'string') return text.length
  let length = 0
  for (const piece of text) length += piece.length
  return length
}

/**
 * For an answer in the place of one that a filter has ended: nginx closes the connection after it without a word, and
 * what the visitor asks next would be lost (RFC 9112 9.6). In HTTP/2 it is the stream that ends.
 */
export function tellClosing(): void {
  if ((ngx.var.http2 ?? '') === '') ngx.header['Connection'] = 'close'
}

/** RFC 6797 7.2: over TLS only. The domain's word goes before the origin's. */
export function tellHsts({ hsts }: PolicyDocument): void {
  if (hsts !== '' && ngx.var.scheme === 'https') ngx.header['Strict-Transport-Security'] = hsts
}

/**
 * RFC 7838 3: that the same is to be had over HTTP/3, or not any more. Over TLS only, and only of the edge's own address:
 * the front is at no other.
 */
export function tellFront({ http3 }: PolicyDocument): void {
  if (http3 !== true || ngx.var.scheme !== 'https' || ngx.var.fw_cdn !== '') return
  const port = frontPort()
  ngx.header['Alt-Svc'] = port === '' ? 'clear' : `h3=":${port}"; ma=86400`
}

/**
 * Network Error Logging 4.1: over TLS only. An origin's other report groups stay beside ours; of policies a browser keeps
 * one, which is the domain's.
 */
export function tellReports({ reportTo }: PolicyDocument): void {
  if (reportTo === '' || ngx.var.scheme !== 'https') return
  const others = headerText('Report-To')
  if (others === '') ngx.header['Report-To'] = reportTo
  else if (!others.includes(reportTo)) ngx.header['Report-To'] = `${others}, ${reportTo}`
  ngx.header['NEL'] = NEL
}

// One answer in ten is counted, ten times: contract, `ONE_SUCCESS_IN`.
const NEL = '{"report_to":"fairway","max_age":86400,"success_fraction":0.1,"failure_fraction":1}'

export function count(what: string): void {
  ngx.shared.counters.incr(what, 1, 0)
}
