import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { chromiumMissing, openChromium } from './chromium.ts'
import { pace } from './pace.ts'
import { until } from './until.ts'

const PLAYER = path.join(import.meta.dirname, '../packages/player/dist')
const SECONDS = 60
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-player-live-'))

/** A broadcast that is away, goes on since then, or has ended. */
let state: { is: 'away' } | { is: 'live' | 'ended'; since: number } = { is: 'away' }

function playlist(): string | null {
  if (state.is === 'away') return null
  const count = Math.min(SECONDS, 6 + Math.floor((Date.now() - state.since) / 1000))
  const from = Math.max(0, count - 6)
  const lines = ['#EXTM3U', '#EXT-X-VERSION:7', '#EXT-X-TARGETDURATION:1', `#EXT-X-MEDIA-SEQUENCE:${from}`]
  for (let number = from; number < count; number++) lines.push('#EXTINF:1,', `s${number}.ts`)
  return [...lines, ...(state.is === 'ended' ? ['#EXT-X-ENDLIST'] : []), ''].join('\n')
}
const MAIN = '#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=200000,CODECS="avc1.64000c",RESOLUTION=160x90\nlist.m3u8\n'
const server = http.createServer((request, response) => {
  const name = path.basename((request.url ?? '').split('?')[0] ?? '')
  const answer = (type: string, body: string | Buffer | null) =>
    void (body === null ? response.writeHead(404).end() : response.writeHead(200, { 'content-type': type }).end(body))
  if (request.url === '/')
    return answer(
      'text/html',
      '<script type="module" src="/player/v1.js"></script><stream-player src="/live/master.m3u8" live autoplay muted></stream-player>',
    )
  if (name === 'master.m3u8') return answer('application/vnd.apple.mpegurl', state.is === 'away' ? null : MAIN)
  if (name === 'list.m3u8') return answer('application/vnd.apple.mpegurl', playlist())
  const file = path.join(name.endsWith('.js') ? PLAYER : folder, name)
  return answer(
    name.endsWith('.js') ? 'text/javascript' : 'video/mp2t',
    fs.existsSync(file) ? fs.readFileSync(file) : null,
  )
})
let browser: Browser | null = null

before(async () => {
  if (chromiumMissing) return
  const words = `-v error -f lavfi -i testsrc2=size=160x90:rate=10:duration=${SECONDS} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -g 10 -f hls -hls_time 1 -hls_list_size 0 -hls_segment_filename ${folder}/s%d.ts ${folder}/made.m3u8`
  execFileSync('ffmpeg', words.split(' '))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  browser = await openChromium()
})
after(async () => {
  await browser?.close()
  server.closeAllConnections()
  server.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

test(
  'the player is there when a stream begins after its page was opened, and at the next broadcast',
  { skip: chromiumMissing },
  async () => {
    assert.ok(browser)
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)
    const comes = (what: string, is: string, seconds: number) =>
      until(
        what,
        () =>
          page.evaluate<boolean>(`(() => {
            const player = document.querySelector('stream-player')
            const { video } = player
            const isSaid = video !== null && !player.shadowRoot.querySelector('[role=alert]').hidden
            const plays = video !== null && video.played.length > 0 && video.played.end(0) > video.played.start(0) + 1
            return video !== null && ${is}
          })()`),
        seconds * 1000 * pace(),
        100,
      )
    await comes('it says that nothing is there', 'isSaid', 20)
    state = { is: 'live', since: Date.now() }
    await comes('it plays by itself', 'plays && !isSaid', 40)
    state = { is: 'ended', since: state.since }
    await comes('it has ended', 'video.ended', 40)
    state = { is: 'live', since: Date.now() }
    await comes('it plays the next broadcast', 'plays && !video.ended', 60)
  },
)
