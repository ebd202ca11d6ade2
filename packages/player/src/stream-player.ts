import 'media-chrome'
import 'media-chrome/menu'
// Types alone: the library comes when the picture before the film is there.
import type Hls from 'hls.js'
import type { HlsConfig } from 'hls.js'
import { againAfter, isOnAirAt, lookAfter } from './live-again.ts'
import { template } from './template.ts'
import { type Language, languageOf, visitorsLanguage, withToken } from './options.ts'
import { Qualities } from './qualities.ts'
import { WORDS, speak } from './words.ts'

/** What `/v.js` of the collector puts on the page. */
type Watch = { cmcd: HlsConfig['cmcd']; watch(video: HTMLVideoElement, hls?: Hls): (() => void) | undefined }
declare global {
  interface Window {
    viewWatch?: (address: string) => Watch
  }
}

/** Until somebody plays, no more is fetched than what shows that it can be played. */
const BEFORE_PLAY = { maxBufferLength: 1, maxBufferSize: 1 }
const POSTER_MS = 2_000
const CHAPTERS = 'com.apple.hls.chapters'
/** A browser without Media Source Extensions plays HLS itself; one that claims to and has them is not believed. */
const HLS_TYPE = 'application/vnd.apple.mpegurl'

/**
 * `<stream-player src="…/master.m3u8">`: stock hls.js under the controls of Media Chrome. Attributes: `src`, `poster`,
 * `label`, `live`, `autoplay`, `muted`, `start` (seconds), `language`, `color` (`#rrggbb`), `logo` (address of a
 * picture), `token`, `views` (the address that views are told at). It fires `ready` once there is something to play.
 */
export class StreamPlayer extends HTMLElement {
  static readonly observedAttributes = ['src', 'token']
  #hls: Hls | null = null
  #video: HTMLVideoElement | null = null
  #language: Language = 'en'
  /** Counts what was asked to be loaded: an answer to an older question is dropped. */
  #turn = 0
  /** How often in a row a live stream could not be had. */
  #tries = 0
  #isLooking = false
  /** Of what the view is, which goes on where the same is loaded once more. */
  #view: { of: string; watch: Watch } | null = null
  #unwatch: (() => void) | undefined

  /** The element that plays; null before it stands in a page. */
  get video(): HTMLVideoElement | null {
    return this.#video
  }

  connectedCallback(): void {
    if (this.#video === null) this.#render()
    void this.#load()
  }

  disconnectedCallback(): void {
    // One that is only moved goes on.
    queueMicrotask(() => {
      if (!this.isConnected) this.#end()
    })
  }

  attributeChangedCallback(_: string, before: string | null, after: string | null): void {
    if (this.#video !== null && before !== after && this.isConnected) void this.#load()
  }

  #render(): void {
    const asked = this.getAttribute('language')
    this.#language = (asked === null ? null : languageOf(asked)) ?? visitorsLanguage(navigator.languages)
    speak(this.#language)
    const root = this.attachShadow({ mode: 'open' })
    root.append(template(this.ownerDocument))
    const controller = root.querySelector('media-controller')
    const video = root.querySelector('video')
    if (!controller || !video) return
    this.lang = this.#language
    controller.setAttribute('aria-label', this.getAttribute('label') ?? WORDS[this.#language].player)
    video.setAttribute('aria-label', this.getAttribute('label') ?? WORDS[this.#language].player)
    video.muted = this.hasAttribute('muted')
    Object.defineProperty(video, 'videoRenditions', { value: new Qualities() })
    this.toggleAttribute('data-live', this.hasAttribute('live'))
    const color = this.getAttribute('color')
    if (color !== null && /^#[0-9a-f]{6}$/i.test(color)) this.style.setProperty('--brand', color)
    const logo = root.querySelector('img')
    const picture = this.getAttribute('logo')
    if (logo && picture !== null) {
      logo.src = picture
      logo.hidden = false
    }
    this.#video = video
  }

  #end(): void {
    this.#turn++
    this.#isLooking = false
    this.#unwatch?.()
    this.#unwatch = undefined
    this.#hls?.destroy()
    this.#hls = null
  }

  /** @param again whether it is to play on: what is said stays until there is something to play */
  async #load(again: { plays: boolean } | null = null): Promise<void> {
    this.#end()
    const [video, turn, from] = [this.#video, this.#turn, this.getAttribute('src')]
    if (!video || !from) return
    if (again === null) {
      this.#say(null)
      this.#tries = 0
    }
    const token = this.getAttribute('token')
    const src = withToken(new URL(from, this.ownerDocument.baseURI).href, token)
    const poster = this.getAttribute('poster')
    const wantsPlay = this.hasAttribute('autoplay') || again?.plays === true
    if (poster !== null) {
      video.poster = withToken(new URL(poster, this.ownerDocument.baseURI).href, token)
      if (!wantsPlay) await Promise.race([painted(video.poster), played(video), after(POSTER_MS)])
    }
    const [{ default: Library }, watch] = await Promise.all([import('hls.js'), this.#watch()])
    if (turn !== this.#turn) return
    const mayPlay = () => {
      // The element outlives its sources, and so do those who listen to it.
      if (turn !== this.#turn) return
      this.#say(null)
      this.#tries = 0
      if (wantsPlay || !video.paused) void video.play().catch(() => undefined)
      this.dispatchEvent(new Event('ready'))
    }
    if (!Library.isSupported()) {
      if (video.canPlayType(HLS_TYPE) === '') return this.#say('failed')
      video.src = src
      video.addEventListener('loadedmetadata', mayPlay, { once: true })
      video.addEventListener(
        'error',
        () => {
          if (turn === this.#turn) this.#fail('failed')
        },
        { once: true },
      )
      video.addEventListener('ended', () => void this.#awaitLive(turn, src), { once: true })
      this.#unwatch = watch?.watch(video)
      return
    }
    const isWanted = wantsPlay || !video.paused
    const isLive = this.hasAttribute('live')
    const start = Number(this.getAttribute('start') ?? 0)
    const hls = new Library({
      // A film that is still encoded would begin at its end.
      startPosition: isLive ? -1 : start > 0 ? start : 0,
      capLevelToPlayerSize: true,
      liveDurationInfinity: true,
      ...(isLive && { maxLiveSyncPlaybackRate: 1.5 }),
      cmcd: watch?.cmcd ?? { useHeaders: false },
      ...(!isWanted && BEFORE_PLAY),
    })
    this.#hls = hls
    const { maxBufferLength, maxBufferSize } = Library.DefaultConfig
    video.addEventListener('play', () => Object.assign(hls.config, { maxBufferLength, maxBufferSize }), { once: true })
    this.#follow(hls, Library, video)
    // Of a stream whose segments cannot be had the playlists may be there all the time.
    hls.on(Library.Events.FRAG_BUFFERED, () => {
      this.#tries = 0
    })
    hls.on(Library.Events.LEVEL_LOADED, (_, { details }) => {
      if (!details.live) void this.#awaitLive(turn, src)
    })
    hls.once(Library.Events.MANIFEST_PARSED, () => {
      this.#say(null)
      if (isWanted || !video.paused) void video.play().catch(() => undefined)
      this.dispatchEvent(new Event('ready'))
    })
    hls.loadSource(src)
    hls.attachMedia(video)
    this.#unwatch = watch?.watch(video, hls)
  }

  /** Qualities, what lies beside the playlist, and what goes wrong. */
  #follow(hls: Hls, { Events, ErrorTypes }: typeof Hls, video: HTMLVideoElement): void {
    const qualities = (video as HTMLVideoElement & { videoRenditions: Qualities }).videoRenditions
    const list = () =>
      qualities.replace(
        hls.levels.map(({ width, height, bitrate }, index) => ({ id: `${index}`, width, height, bitrate })),
      )
    const choose = () => {
      if (hls.nextLevel !== qualities.selectedIndex) hls.nextLevel = qualities.selectedIndex
    }
    qualities.addEventListener('change', choose)
    hls.once(Events.DESTROYING, () => qualities.removeEventListener('change', choose))
    hls.on(Events.MANIFEST_PARSED, list)
    hls.on(Events.LEVELS_UPDATED, list)
    hls.once(Events.MANIFEST_LOADED, (_, { url, sessionData }) => {
      // Those of captions are the library's, which may have put them there already.
      for (const track of video.querySelectorAll('track[data-beside]')) track.remove()
      // Live streams have neither.
      if (this.hasAttribute('live')) return
      addTrack(video, 'metadata', 'thumbnails', new URL('sprite.vtt', url).href)
      const chapters = sessionData?.[CHAPTERS]?.['URI']
      if (typeof chapters === 'string')
        addTrack(video, 'chapters', '', new URL(chapters.replace(/\.json$/, '.vtt'), url).href)
    })
    let isMended = false
    hls.on(Events.ERROR, (_, { fatal, type, response }) => {
      if (!fatal) return
      if (type === ErrorTypes.MEDIA_ERROR && !isMended) {
        isMended = true
        return hls.recoverMediaError()
      }
      const what = response?.code === 403 ? 'refused' : response?.code === 404 ? 'gone' : 'failed'
      if (type === ErrorTypes.NETWORK_ERROR && what !== 'refused') this.#fail(what)
      else this.#say(what)
    })
  }

  /** A live stream that is not there may be in a while. */
  #fail(what: 'gone' | 'failed'): void {
    this.#say(what)
    if (!this.hasAttribute('live')) return
    const turn = this.#turn
    setTimeout(
      () => {
        if (turn === this.#turn) void this.#load({ plays: this.#video?.paused === false })
      },
      againAfter(this.#tries++, Math.random()),
    )
  }

  /** Whoever has seen a live stream to its end, or has not begun, is there when it is on air again. */
  async #awaitLive(turn: number, src: string): Promise<void> {
    const video = this.#video
    // Who listens to the element of an older turn must not keep this one from looking.
    if (!video || turn !== this.#turn || !this.hasAttribute('live') || this.#isLooking) return
    this.#isLooking = true
    for (;;) {
      await after(lookAfter(Math.random()))
      if (turn !== this.#turn) return
      if ((video.ended || video.played.length === 0) && (await isOnAirAt(src))) break
      if (turn !== this.#turn) return
    }
    if (turn !== this.#turn) return
    // Another broadcast is another view.
    this.#view = null
    void this.#load({ plays: video.ended })
  }

  /** Views are told where the page names an address for them; a film does not wait for a script that is kept away. */
  async #watch(): Promise<Watch | null> {
    const address = this.getAttribute('views')
    if (address === null || !/^https?:/.test(address)) return null
    if (!window.viewWatch) await Promise.race([script(new URL('/v.js', address).href), after(POSTER_MS)])
    const of = `${address} ${this.getAttribute('src') ?? ''}`
    const watch = this.#view?.of === of ? this.#view.watch : window.viewWatch?.(address)
    this.#view = watch ? { of, watch } : null
    return watch ?? null
  }

  #say(what: 'refused' | 'gone' | 'failed' | null): void {
    const place = this.shadowRoot?.querySelector<HTMLElement>('[role=alert]')
    if (!place) return
    place.textContent = what === null ? '' : WORDS[this.#language][what]
    place.hidden = what === null
  }
}

function addTrack(video: HTMLVideoElement, kind: 'metadata' | 'chapters', label: string, src: string): void {
  const track = video.ownerDocument.createElement('track')
  Object.assign(track, { kind, label, src, default: true })
  track.dataset['beside'] = ''
  video.append(track)
}

const after = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const played = (video: HTMLVideoElement): Promise<void> =>
  new Promise((resolve) => video.addEventListener('play', () => resolve(), { once: true }))

/** When a picture has come, or does not. */
const painted = (address: string): Promise<void> =>
  new Promise((resolve) => {
    const picture = new Image()
    picture.src = address
    picture.decode().then(
      () => resolve(),
      () => resolve(),
    )
  })

const script = (address: string): Promise<void> =>
  new Promise((resolve) => {
    const element = document.createElement('script')
    element.src = address
    element.addEventListener('load', () => resolve())
    element.addEventListener('error', () => resolve())
    document.head.append(element)
  })

if (!customElements.get('stream-player')) customElements.define('stream-player', StreamPlayer)
