import type { Plugin } from 'vite'

/** Every page needs them as soon as the program runs: English, which stands behind every language, and what most screens share. */
const NEEDED = /\/(?:catalog-en|common)-[^/]*\.js$/

/** Has them fetched beside the program instead of after it. */
export function preloadAtStart(): Plugin {
  return {
    name: 'preload-at-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: (_, { bundle = {} }) => Object.keys(bundle).filter((name) => NEEDED.test(name)).map((name) => ({ tag: 'link', attrs: { rel: 'modulepreload', crossorigin: true, href: `/${name}` }, injectTo: 'head' as const })),
    },
  }
}
