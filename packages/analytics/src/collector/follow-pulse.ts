import type http from 'node:http'
import type { CollectorCaller } from '@fairway/platform'
import type { PulseWatch } from './pulse-watch.ts'

const BEAT_MS = 10_000

/** `GET /pulse/?organization=…` of the API: one line of JSON with what was seen so far, and another after each change. */
export function followPulse(
  { isCaller, watch }: { isCaller: CollectorCaller; watch: PulseWatch },
  url: string,
  request: http.IncomingMessage,
  response: http.ServerResponse,
): void {
  if (!isCaller(request.headers.authorization)) return void response.writeHead(401).end()
  const organization = new URL(url, 'http://collector').searchParams.get('organization') ?? ''
  response.writeHead(200, { 'content-type': 'application/x-ndjson', 'cache-control': 'no-store' })
  const say = () => {
    // A reader that does not keep up gets the newest when it does.
    if (response.writableLength === 0) response.write(`${JSON.stringify(watch.seen(organization))}\n`)
  }
  say()
  const end = watch.follow(organization, say)
  const beat = setInterval(say, BEAT_MS)
  response.on('close', () => {
    end()
    clearInterval(beat)
  })
}
