import type { Plugin } from 'vite'

const LAYOUT = /\/src\/shell\/layouts\/shell-layout\.tsx$/
/** What strangers see first: signing in, up, and asking for a new password. */
const SIGN_IN = /\/src\/features\/auth\/(?:login|signup|forgot-password)-screen\.tsx$/
/** Names everything that a package has: what of it is used is seen from who names it. */
const INDEX = /\/index\.m?[jt]s$/
const NAMED = /import\s*\{([^}]*)\}\s*from\s*['"]([^'"./][^'"]*)['"]/g
/**
 * `@mantine/core Button` for the file of that name in that package, `@fairway/contract addSite` for `add-site.ts` in
 * that one of ours.
 */
const partOf = (id: string): string | undefined => {
  const [, from, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/.*\/([\w-]+)\.m?js$/.exec(id) ?? []
  const [, own, ownName] = /\/packages\/(\w+)\/src\/([\w-]+)\.ts$/.exec(id) ?? []
  const file = name ?? ownName
  return file === undefined
    ? undefined
    : `${from ?? `@fairway/${own}`} ${file.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase())}`
}

/**
 * Finds what the layout around signed-in pages is made of, and what of that signing in needs as well, so that each can
 * be one file: forty small ones wait for each other,
 * and the page's first questions for them.
 */
export function layoutFile(): {
  plugin: Plugin
  isOfLayout: (id: string) => boolean
  isOfSignIn: (id: string) => boolean
  isOfBoth: (id: string) => boolean
} {
  const layout = new Set<string>()
  const signIn = new Set<string>()
  return {
    isOfLayout: (id) => layout.has(id),
    isOfSignIn: (id) => signIn.has(id),
    isOfBoth: (id) => layout.has(id) && signIn.has(id),
    plugin: {
      name: 'layout-file',
      apply: 'build',
      buildEnd() {
        const all = [...this.getModuleIds()]
        const parts = new Map(
          all.flatMap((id) => {
            const part = partOf(id)
            return part === undefined ? [] : [[part, id]]
          }),
        )
        const gather = (start: RegExp, found: Set<string>) => {
          const waiting = all.filter((id) => start.test(id))
          for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
            if (found.has(id) || INDEX.test(id)) continue
            found.add(id)
            const { importedIds = [], code } = this.getModuleInfo(id) ?? {}
            const named = [...(code ?? '').matchAll(NAMED)].flatMap(([, names = '', from]) =>
              names.split(',').flatMap((name) => parts.get(`${from} ${name.trim()}`) ?? []),
            )
            waiting.push(...importedIds, ...named)
          }
        }
        gather(LAYOUT, layout)
        gather(SIGN_IN, signIn)
      },
    },
  }
}
