import type { FastifyReply } from 'fastify'

/**
 * A server-sent event stream to one client, with a comment line every 5 s so that both ends notice a dead connection.
 */
export type EventStream = {
  send(data: unknown): Promise<void>
  /** The same with JSON that is written already. */
  sendText(json: string): Promise<void>
  /** A line that is none of the events. */
  comment(text: string): void
  closed: AbortSignal
}

export function openStream(reply: FastifyReply): EventStream {
  const raw = reply.raw
  const ended = new AbortController()
  reply.hijack()
  raw.writeHead(200, {
    'content-type': 'text/event-stream',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
    connection: 'keep-alive',
  })
  raw.write(': open\n\n')
  const beat = setInterval(() => raw.write(': alive\n\n'), 5_000)
  raw.on('close', () => {
    clearInterval(beat)
    ended.abort()
  })
  const sendText = async (json: string) => {
    if (ended.signal.aborted) return
    if (raw.write(`data: ${json}\n\n`)) return
    await new Promise<void>((resolve) => {
      const done = () => (raw.off('drain', done), ended.signal.removeEventListener('abort', done), resolve())
      raw.once('drain', done)
      ended.signal.addEventListener('abort', done, { once: true })
    })
  }
  const comment = (text: string) => void (ended.signal.aborted || raw.write(`: ${text}\n\n`))
  return { closed: ended.signal, sendText, comment, send: (data) => sendText(JSON.stringify(data)) }
}
