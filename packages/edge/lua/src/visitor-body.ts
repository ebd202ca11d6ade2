import { answerPage, count } from './answer/answer.ts'

/** Bytes a second; who sends less waits for no answer (the usual figure of Apache's mod_reqtimeout). */
const SLOWEST = 500

/** What nginx keeps of it in memory; more than that lies on the disk. */
const IN_MEMORY = 16_384

let scarceFile = ''

/** The agent's sign that the disk is nearly full. */
export function useFile(file: string): void {
  scarceFile = file
}

/**
 * Reads all that the visitor sends, as nginx does for itself. nginx's own patience is about the time between two parts,
 * so that a byte now and then would hold a connection without end.
 */
export function readBody(): void {
  if (ngx.ctx.isRead === true) return
  ngx.ctx.isRead = true
  // Without a length it is looked at as it comes.
  if ((tonumber(ngx.var.http_content_length) ?? 0) > IN_MEMORY && isScarce()) return refuse()
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
    if (now > IN_MEMORY && isScarce()) {
      count('bodies_refused')
      ngx.exit(503)
      return
    }
    if (now - before < SLOWEST * seconds) {
      count('bodies_slow')
      ngx.exit(408)
      return
    }
    before = now
  }
}

/** What visitors send must not take the room of what was accepted before. */
function refuse(): void {
  count('bodies_refused')
  answerPage(503, 'no-room')
}

function isScarce(): boolean {
  const [sign] = io.open(scarceFile, 'rb')
  if (sign === undefined) return false
  sign.close()
  return true
}

function received(): number {
  return tonumber(ngx.var.request_length) ?? 0
}
