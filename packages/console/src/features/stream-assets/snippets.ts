import { PLAYER_SCRIPT, embedPath } from '@fairway/domain'

const page = (body: string) => body.trim()
const attribute = (text: string) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

type Embedded = { id: string; name: string; manifestUrl: string; posterUrl: string | null; isLive: boolean } & {
  /** Left out for what MPEG-DASH does not give. */ dashUrl?: string | null
}

/**
 * How a page of the owner's plays a video: by our player, as a frame or an element, and in the ways that need nothing of
 * ours but its address.
 */
export function embedSnippets({ id, name, manifestUrl, posterUrl, isLive, dashUrl = null }: Embedded) {
  const script = new URL(PLAYER_SCRIPT, manifestUrl).href
  const said = Object.entries({ src: manifestUrl, poster: posterUrl, label: name }).flatMap(([key, value]) =>
    value === null ? [] : [`${key}="${attribute(value)}"`],
  )
  const element = `<stream-player ${[...said, ...(isLive ? ['live'] : [])].join('\n  ')}></stream-player>`
  return [
    {
      key: 'frame' as const,
      code: page(`
<iframe src="${new URL(embedPath(id), manifestUrl).href}"
  title="${attribute(name)}" allow="autoplay; fullscreen; picture-in-picture" loading="lazy"
  style="width: 100%; aspect-ratio: 16 / 9; border: 0"></iframe>
<!-- ?autoplay=1&muted=1&start=90&language=zh-TW&color=3a5bff&title=…, and &token=… while addresses are signed -->`),
    },
    { key: 'element' as const, code: page(`<script type="module" src="${script}"></script>\n${element}`) },
    {
      key: 'react' as const,
      code: page(`
import { useEffect } from 'react'

export function Video() {
  useEffect(() => void import(/* @vite-ignore */ /* webpackIgnore: true */ '${script}'), [])
  return (
    <stream-player
      src=${JSON.stringify(manifestUrl)}${posterUrl === null ? '' : `\n      poster=${JSON.stringify(posterUrl)}`}
      label={${JSON.stringify(name)}}${isLive ? '\n      live=""' : ''}
    />
  )
}`),
    },
    {
      key: 'hls' as const,
      code: page(`
<video id="video" controls playsinline></video>
<script src="/hls.min.js"></script><!-- of the package hls.js, put beside your page -->
<script>
  const video = document.getElementById('video')
  if (Hls.isSupported()) {
    const hls = new Hls({ ${isLive ? 'maxLiveSyncPlaybackRate: 1.5' : 'startPosition: 0'} })
    hls.loadSource('${manifestUrl}')
    hls.attachMedia(video)
  } else {
    video.src = '${manifestUrl}'
  }
</script>`),
    },
    ...(dashUrl === null
      ? []
      : [
          {
            key: 'dash' as const,
            code: page(`
<video id="video" controls playsinline></video>
<script src="/dash.all.min.js"></script><!-- of the package dashjs, put beside your page -->
<script>
  dashjs.MediaPlayer().create().initialize(document.getElementById('video'), '${dashUrl}', false)
</script>`),
          },
        ]),
  ]
}
