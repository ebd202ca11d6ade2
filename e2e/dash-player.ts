/** What stock dash.js in a page has done so far. */
export type DashPlayed = {
  loaded: { host: string; path: string; query: string }[]
  seconds: number
  errors: string[]
}

/** Plays as any page with dash.js would; afterwards `window.dashPlayed()` in the page is a `DashPlayed`. */
export const dashScript = (manifest: string): string => `(() => {
  const video = document.querySelector('video.dash')
  const player = dashjs.MediaPlayer().create()
  const seen = { loaded: [], errors: [] }
  const few = { bufferTimeDefault: 8, bufferTimeAtTopQuality: 8, bufferTimeAtTopQualityLongForm: 8 }
  player.updateSettings({ streaming: { buffer: few } })
  player.on(dashjs.MediaPlayer.events.FRAGMENT_LOADING_COMPLETED, ({ request, error }) => {
    if (error) return
    const { hostname, pathname, search } = new URL(request.url)
    seen.loaded.push({ host: hostname, path: pathname, query: search })
  })
  player.on(dashjs.MediaPlayer.events.ERROR, ({ error }) => seen.errors.push(error.code + ' ' + error.message))
  window.dashPlayed = () => ({ ...seen, seconds: video.currentTime })
  player.initialize(video, ${JSON.stringify(manifest)}, true)
})()`
