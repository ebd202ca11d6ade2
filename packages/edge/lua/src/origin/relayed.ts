import { answerNothing } from '../answer/answer.ts'

// Of a request that another machine of ours has passed on: it alone answers the visitor.

/** Only the server that has checked who asks says so; of what visitors send, the header is taken off. */
export function isRelayed(): boolean {
  return ngx.var.http_x_fairway_relayed !== undefined
}

/** There is no answer: whoever asked tries another way, if the origin cannot have acted on the request. */
export function failRelayed(failed: 'asked' | 'unasked'): void {
  ngx.ctx.relayFailed = failed
  answerNothing(502)
}
