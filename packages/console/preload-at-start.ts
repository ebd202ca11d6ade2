import type { Plugin } from 'vite'

/**
 * Every page needs them as soon as the program runs: English, which stands behind every language, and what most screens
 * share.
 */
const NEEDED = /\/(?:catalog-en|common)-[^/]*\.js$/
/**
 * Only the pages of who is signed in have the layout: `boot.js` makes these links real ones where somebody seems to be.
 */
const SIGNED_IN = /\/layout-[^/]*\.js$/

/** Has them fetched beside the program instead of after it. */
export function preloadAtStart(): Plugin {
  return {
    name: 'preload-at-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => {
        const links = (names: RegExp, attributes: Record<string, string>) =>
          Object.keys(bundle)
            .filter((name) => names.test(name))
            .map((name) => ({ tag: 'link', attrs: { ...attributes, crossorigin: true, href: `/${name}` } }))
        return [
          ...links(NEEDED, { rel: 'modulepreload' }).map((tag) => ({ ...tag, injectTo: 'head' as const })),
          ...links(SIGNED_IN, { rel: 'signed-in' }).map((tag) => ({ ...tag, injectTo: 'head-prepend' as const })),
        ]
      },
    },
  }
}
