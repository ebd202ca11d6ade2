import type { Plugin } from 'vite'

/** In the contract as it is formatted: a text of its own, on the same line or the next. */
const SUMMARY = /\bsummary:\s*(['"])(?:\\.|(?!\1)[^\\\n])*\1,/g

/** What routes say of themselves is for the documents of the API; no page shows it, and every page would carry it. */
export function withoutRouteWords(): Plugin {
  return {
    name: 'without-route-words',
    apply: 'build',
    enforce: 'pre',
    transform(code, id) {
      if (!id.includes('/packages/contract/src/')) return null
      const without = code.replace(SUMMARY, (text) => text.replace(/[^\n]/g, ''))
      return without === code ? null : { code: without, map: null }
    },
  }
}
