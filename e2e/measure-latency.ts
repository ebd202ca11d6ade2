// The browser's part of `./fairway bench stream`: `node e2e/measure-latency.ts <playlist> <seconds>`. Plays a stream
// that shows the time, as any page with hls.js would, and reads out of the pixels how old they are.
import path from 'node:path'
import { openChromium } from './chromium.ts'

const [url, wanted] = process.argv.slice(2)
const seconds = Number(wanted)
if (!url || !(seconds > 0)) throw new Error('say what and how long: node e2e/measure-latency.ts <playlist> <seconds>')

type Seen = { firstMs: number; ages: number[]; stalls: number; errors: string[] }

/** Runs in the page. Counted from five seconds on, when the player has found its place. */
const WATCH = `((address, lasting) => {
  const video = document.querySelector('video')
  const canvas = document.createElement('canvas')
  canvas.width = 640
  canvas.height = 20
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const began = performance.now()
  const seen = { firstMs: 0, ages: [], stalls: 0, errors: [] }
  const isSettled = () => seen.firstMs > 0 && performance.now() - began - seen.firstMs > 5_000
  const hls = new Hls({ maxLiveSyncPlaybackRate: 1.5 })
  hls.on('hlsError', (_, { details }) => void seen.errors.push(details))
  hls.loadSource(address)
  hls.attachMedia(video)
  video.addEventListener('waiting', () => {
    if (isSettled()) seen.stalls++
  })
  const look = () => {
    video.requestVideoFrameCallback(look)
    if (seen.firstMs === 0) seen.firstMs = performance.now() - began
    if (!isSettled()) return
    context.drawImage(video, 0, 0, video.videoWidth, (video.videoHeight * 20) / 360, 0, 0, 640, 20)
    const { data } = context.getImageData(0, 10, 640, 1)
    const bits = Array.from({ length: 32 }, (_, index) => (data[(index * 20 + 10) * 4] > 128 ? 1 : 0))
    const read = (from, to) => bits.slice(from, to).reduce((value, bit) => value * 2 + bit, 0)
    const sum = bits.slice(0, 28).reduce((count, bit) => count + bit, 0)
    if (sum % 16 !== read(28, 32)) return
    seen.ages.push(((Date.now() % 2 ** 28) - read(0, 28) + 2 ** 28) % 2 ** 28)
  }
  video.requestVideoFrameCallback(look)
  void video.play()
  return new Promise((resolve) => setTimeout(() => resolve(seen), lasting * 1000 + 10_000))
})`

const browser = await openChromium('--autoplay-policy=no-user-gesture-required')
try {
  const page = await browser.newPage()
  await page.setContent('<video id="video" muted playsinline></video>')
  await page.addScriptTag({ path: path.join(import.meta.dirname, '../node_modules/hls.js/dist/hls.min.js') })
  const seen = await page.evaluate<Seen>(`${WATCH}(${JSON.stringify(url)}, ${seconds})`)
  const sorted = seen.ages.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor((sorted.length - 1) * share)]?.toFixed(0) ?? 'unknown'
  const errors = seen.errors.length === 0 ? '' : `; told by hls.js: ${[...new Set(seen.errors)].join(', ')}`
  process.stdout.write(
    `glass to glass p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, worst ${at(1)} ms over ${sorted.length} frames of ${seconds} s; ${seen.stalls} stalls; first frame after ${seen.firstMs.toFixed(0)} ms${errors}\n`,
  )
} finally {
  await browser.close()
}
