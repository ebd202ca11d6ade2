import { pageHtml } from './page.ts'

/** Answers with a page of the edge's own and ends the request. Never cached. */
export function answerPage(status: number, title: string, sentence: string): void {
  ngx.status = status
  ngx.header['Content-Type'] = 'text/html; charset=utf-8'
  ngx.header['Cache-Control'] = 'no-store'
  ngx.print(pageHtml(status, title, sentence, ngx.var.request_id ?? ''))
  ngx.exit(ngx.HTTP_OK)
}

export function count(what: string): void {
  ngx.shared.counters.incr(what, 1, 0)
}
