/** What stock hls.js in a page has done so far; times are the machine's clock, ms. */
export type Played = {
  loaded: { at: number; host: string; path: string }[]
  seconds: number
  stalledMs: number
  errors: string[]
}

/** Plays as any page with hls.js would; afterwards `window.played()` in the page is a `Played`. */
export const playScript = (master: string): string => `(() => {
  const video = document.querySelector('video')
  const hls = new Hls({ maxBufferLength: 8, maxMaxBufferLength: 8 })
  const seen = { loaded: [], stalledMs: 0, errors: [] }
  let since = null
  video.addEventListener('waiting', () => { if (video.currentTime > 0.5) since ??= performance.now() })
  video.addEventListener('playing', () => { if (since !== null) seen.stalledMs += performance.now() - since; since = null })
  hls.on(Hls.Events.FRAG_LOADED, (_, { frag }) => {
    const { hostname, pathname } = new URL(frag.url)
    seen.loaded.push({ at: Date.now(), host: hostname, path: pathname })
  })
  hls.on(Hls.Events.ERROR, (_, { type, details, fatal }) => seen.errors.push(type + ' ' + details + (fatal ? ' fatal' : '')))
  window.played = () => ({ ...seen, seconds: video.currentTime, stalledMs: seen.stalledMs + (since === null ? 0 : performance.now() - since) })
  hls.loadSource(${JSON.stringify(master)})
  hls.attachMedia(video)
  void video.play()
})()`

/** What was read out of the pixels of a picture that shows the time. */
export type Watched = {
  firstAt: number
  ages: number[]
  /** Seconds after the first picture. */
  stalls: number[]
  errors: string[]
}

/**
 * Plays a stream that shows the time, and reads how old the picture is, for so many seconds. Counted from five seconds
 * after the first picture on, when the player has found its place.
 */
export const watchScript = (master: string, seconds: number): string => `(() => {
  const video = document.querySelector('video')
  const canvas = document.createElement('canvas')
  canvas.width = 640
  canvas.height = 20
  const context = canvas.getContext('2d', { willReadFrequently: true })
  const seen = { firstAt: 0, ages: [], stalls: [], errors: [] }
  const isSettled = () => seen.firstAt > 0 && Date.now() - seen.firstAt > 5_000
  const hls = new Hls({ maxLiveSyncPlaybackRate: 1.5 })
  hls.on('hlsError', (_, { details }) => void seen.errors.push(details))
  hls.loadSource(${JSON.stringify(master)})
  hls.attachMedia(video)
  video.addEventListener('waiting', () => {
    if (isSettled()) seen.stalls.push((Date.now() - seen.firstAt) / 1000)
  })
  const look = () => {
    video.requestVideoFrameCallback(look)
    if (seen.firstAt === 0) seen.firstAt = Date.now()
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
  return new Promise((resolve) => setTimeout(() => resolve(seen), ${seconds * 1000 + 10_000}))
})()`
