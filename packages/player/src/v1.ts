/**
 * What pages load as `/player/v1.js`: the element, and on the page of an iframe what its address asks for. Its element
 * and attributes stay as they are; what would break a page is called `v2.js`.
 */
import { readOptions } from './options.ts'
import './stream-player.ts'

const { documentElement } = document
if (documentElement.hasAttribute('data-embed')) {
  const { autoplay, muted, start, language, color, title, token } = readOptions(location.search)
  const player = document.createElement('stream-player')
  // What the page knows: address, picture, brand.
  for (const { name, value } of document.querySelector('[data-player]')?.attributes ?? [])
    if (name.startsWith('data-') && name !== 'data-player') player.setAttribute(name.slice(5), value)
  player.toggleAttribute('autoplay', autoplay)
  if (muted) player.setAttribute('muted', '')
  if (start > 0) player.setAttribute('start', String(start))
  if (language !== null) player.setAttribute('language', language)
  if (color !== null) player.setAttribute('color', color)
  if (token !== null) player.setAttribute('token', token)
  if (title !== null) {
    player.setAttribute('label', title)
    document.title = title
  }
  document.body.append(player)
  documentElement.lang = player.lang
}
