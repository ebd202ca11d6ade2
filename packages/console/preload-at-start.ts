import type { Plugin } from 'vite'

/** Every page needs it as soon as the program runs: what the layout and signing in share. */
const NEEDED = /\/common-[^/]*\.js$/
/**
 * What only some need: the texts of a language, and the layout, which the pages of who is signed in have. `boot.js` makes
 * these links real ones where everything that `data-when` names is so.
 */
const LATER: readonly { name: RegExp; when: string }[] = [
  { name: /\/(?:layout|parts)-[^/]*\.js$/, when: 'signed-in' },
  ...(['en', 'zh-Hant', 'zh-Hans'] as const).flatMap((tag) => [
    { name: new RegExp(`/catalog-${tag.toLowerCase()}-start-[^/]*\\.js$`), when: tag },
    { name: new RegExp(`/catalog-${tag.toLowerCase()}-(?!start-)[^/]*\\.js$`), when: `${tag} signed-in` },
  ]),
]

const LAST = { fetchpriority: 'low' }

/**
 * Has them fetched beside the program instead of after it. All of them give way to the styles: what is painted until the
 * program is there needs nothing else.
 */
export function preloadAtStart(): Plugin {
  return {
    name: 'preload-at-start',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html, { bundle = {} }) {
        const links = (names: RegExp, attributes: Record<string, string>) =>
          Object.keys(bundle)
            .filter((name) => names.test(name))
            .map((name) => ({ tag: 'link', attrs: { ...attributes, ...LAST, crossorigin: true, href: `/${name}` } }))
        const tags = [
          ...links(NEEDED, { rel: 'modulepreload' }).map((tag) => ({ ...tag, injectTo: 'head' as const })),
          ...LATER.flatMap(({ name, when }) => links(name, { rel: 'later', 'data-when': when })).map((tag) => ({
            ...tag,
            injectTo: 'head-prepend' as const,
          })),
        ]
        const program = '<script type="module" '
        if (!html.includes(program)) this.error('the page has no program')
        return { html: html.replace(program, `${program}fetchpriority="${LAST.fetchpriority}" `), tags }
      },
    },
  }
}
