import { count } from './answer/answer.ts'

/** Bytes a second; who sends less waits for no answer (the usual figure of Apache's mod_reqtimeout). */
const SLOWEST = 500

/**
 * Reads all that the visitor sends, as nginx does for itself. nginx's own patience is about the time between two parts,
 * so that a byte now and then would hold a connection without end.
 */
export function readBody(): void {
  if (ngx.ctx.isRead === true) return
  ngx.ctx.isRead = true
  const watch = ngx.thread.spawn(() => watchPace())
  ngx.req.read_body()
  ngx.thread.kill(watch)
}

/** Stretch by stretch: what came quickly before is no licence to stand still. */
function watchPace(): void {
  const seconds = tonumber(ngx.var.fw_body_wait) ?? 30
  for (let before = received(); ;) {
    ngx.sleep(seconds)
    const now = received()
    if (now - before < SLOWEST * seconds) {
      count('bodies_slow')
      ngx.exit(408)
      return
    }
    before = now
  }
}

function received(): number {
  return tonumber(ngx.var.request_length) ?? 0
}
