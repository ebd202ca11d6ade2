import { PLAYER_SCRIPT } from '@fairway/domain'

/** What the page of one video knows of it. Its name is not among that: whoever has the address may open it. */
export type EmbedFacts = {
  id: string
  isLive: boolean
  /** Below the folder of the video. */
  poster: string | null
  /** `#rrggbb`, and a `data:` address. */
  color: string | null
  logo: string | null
  /** Where views of it are told. */
  views: string | null
}

/**
 * Any site may frame it: that is what it is for. Nothing runs in it but the player and what tells views; films come
 * from whatever CDNs viewers are steered to.
 */
export const embedPolicy = (views: string | null): string =>
  [
    "default-src 'none'",
    `script-src 'self'${views === null ? '' : ` ${new URL(views).origin}`}`,
    "style-src 'unsafe-inline'",
    'img-src * data:',
    'media-src * blob:',
    'connect-src *',
    'frame-ancestors *',
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ')

/** The page of one video for an iframe. What its address asks for is read by the player, and is in no part of it. */
export function embedPage({ id, isLive, poster, color, logo, views }: EmbedFacts): string {
  const said: [string, string | null][] = [
    ['src', `/${id}/master.m3u8`],
    ['live', isLive ? '' : null],
    ['poster', poster === null ? null : `/${id}/${poster}`],
    ['color', color],
    ['logo', logo],
    ['views', views],
  ]
  const attributes = said.map(([name, value]) => (value === null ? '' : ` data-${name}="${escaped(value)}"`)).join('')
  return `<!doctype html>
<html lang="en" data-embed>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Video</title>
<style>html, body, stream-player { margin: 0; height: 100% } html { background: #000 } stream-player { aspect-ratio: auto }</style>
<body>
<script type="module" src="${PLAYER_SCRIPT}" data-player${attributes}></script>
</html>
`
}

const escaped = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
