import type { BeaconSettings, PulseScript, PulseSnippets } from '@fairway/contract'

export type SnippetInput = {
  script: Pick<PulseScript, 'url' | 'integrity' | 'package'>
  key: string
  /** Given for the static form: they stand in the snippet. */
  settings: BeaconSettings | null
}

/** What to paste: a script tag, the same for a tag manager, and the call of the npm package. */
export function pulseSnippets({ script, key, settings }: SnippetInput): PulseSnippets {
  const data: [string, string][] = [
    ['key', key],
    ...(settings
      ? ([
          ['start', String(settings.startDelaySeconds)],
          ['repeat', String(settings.repeatDelaySeconds)],
          ['batches', String(settings.batchNumber)],
          ['targets', JSON.stringify(settings.targets)],
        ] satisfies [string, string][])
      : []),
  ]
  const attributes = data.map(([name, value]) => ` data-${name}="${attribute(value)}"`).join('')
  return {
    script: `<script async src="${script.url}" integrity="${script.integrity}" crossorigin="anonymous"${attributes}></script>`,
    // Tag managers drop attributes that they do not know, so the tag is made by a script.
    tagManager: `<script>
(function () {
  var d = document, s = d.createElement('script')
  s.async = true
  s.src = ${inScript(script.url)}
  s.integrity = ${inScript(script.integrity)}
  s.crossOrigin = 'anonymous'
${data.map(([name, value]) => `  s.setAttribute('data-${name}', ${inScript(value)})`).join('\n')}
  d.head.appendChild(s)
})()
</script>`,
    npm: `npm install ${script.package}

import { startBeacon } from 'fairway-beacon'
startBeacon(${JSON.stringify({ key, collector: originOf(script.url), ...settings })})`,
  }
}

/**
 * Content-Security-Policy lines that let the script run and measure. Measured objects are fetched by the page, so their
 * origins count as connections.
 */
export function pulseCsp(scriptUrl: string, settings: BeaconSettings): string {
  const origins = settings.targets.flatMap(({ u, l }) => [u, ...(l === undefined ? [] : [l])]).map(originOf)
  const connect = [...new Set([originOf(scriptUrl), ...origins])].join(' ')
  return `script-src ${originOf(scriptUrl)};\nconnect-src ${connect};`
}

const originOf = (url: string): string => /^https?:\/\/[^/?#]+/.exec(url)?.[0] ?? url
const attribute = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
/** A string literal that cannot end the script element around it. */
const inScript = (text: string): string => JSON.stringify(text).replaceAll('<', '\\u003c')
