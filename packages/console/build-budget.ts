import zlib from 'node:zlib'
import type { Plugin } from 'vite'

/** Kilobytes of 1000 bytes, compressed as they are sent. */
const LIMITS = { entry: 190, layout: 119, route: 61 }

/** What people see who are not signed in: it must not bring the layout around signed-in pages along. */
const SIGNED_OUT = /\/src\/features\/auth\/(?:login|signup|forgot-password)-screen\.tsx$/

type Chunk = {
  type: 'chunk'
  fileName: string
  isEntry: boolean
  imports: string[]
  code: string
  facadeModuleId: string | null
  moduleIds: string[]
}

/**
 * Refuses a build whose pages have grown too heavy: what every page starts with, what the layout around signed-in pages
 * adds, and what a route adds
 * to both before any chart, editor of files or drawer is opened (those are loaded when they are).
 */
export function buildBudget(): Plugin {
  return {
    name: 'build-budget',
    apply: 'build',
    generateBundle(_, bundle) {
      const chunks = new Map<string, Chunk>()
      for (const output of Object.values(bundle)) if (output.type === 'chunk') chunks.set(output.fileName, output)
      const sizes = new Map([...chunks].map(([name, { code }]) => [name, zlib.gzipSync(code).length / 1000]))
      const closure = (name: string, found = new Set<string>()): Set<string> => {
        if (found.has(name) || !chunks.has(name)) return found
        found.add(name)
        for (const next of chunks.get(name)?.imports ?? []) closure(next, found)
        return found
      }
      const weigh = (names: Set<string>, without: Set<string>) =>
        [...names].filter((name) => !without.has(name)).reduce((sum, name) => sum + (sizes.get(name) ?? 0), 0)
      const chunkOf = (path: string) =>
        [...chunks.values()].find(({ moduleIds }) => moduleIds.some((id) => id.endsWith(path)))?.fileName ?? ''
      const entry = closure([...chunks.values()].find(({ isEntry }) => isEntry)?.fileName ?? '')
      // What nearly every screen shares comes with the first.
      const layout = new Set([
        ...entry,
        ...closure(chunkOf('/src/shell/layouts/shell-layout.tsx')),
        ...closure(chunkOf('/src/ui/page/page-header.tsx')),
        ...closure(chunkOf('/src/ui/page/card.tsx')),
      ])
      const weights: [name: string, kilobytes: number, limit: number][] = [
        ['entry', weigh(entry, new Set()), LIMITS.entry],
        ['layout', weigh(layout, entry), LIMITS.layout],
      ]
      for (const { fileName, facadeModuleId } of chunks.values()) {
        if (facadeModuleId === null || !isRoute(this.getModuleInfo(facadeModuleId)?.dynamicImporters ?? [])) continue
        weights.push([facadeModuleId.replace(/^.*\/src\//, ''), weigh(closure(fileName), layout), LIMITS.route])
      }
      const shell = chunkOf('/src/shell/layouts/shell-layout.tsx')
      const laden = [...chunks.values()].filter(
        ({ fileName, moduleIds }) => moduleIds.some((id) => SIGNED_OUT.test(id)) && closure(fileName).has(shell),
      )
      if (laden.length > 0)
        this.error(
          laden
            .map(({ fileName }) => `${fileName} is for people who are not signed in, and loads ${shell}, which is not`)
            .join('\n'),
        )
      const heavy = weights.filter(([, kilobytes, limit]) => kilobytes > limit)
      const told = weights
        .toSorted(([, one], [, other]) => other - one)
        .slice(0, 5)
        .map(([name, kilobytes]) => `${name} ${kilobytes.toFixed(1)}`)
      this.info(`compressed kB: ${told.join(', ')}`)
      if (heavy.length > 0)
        this.error(
          heavy
            .map(
              ([name, kilobytes, limit]) =>
                `${name} weighs ${kilobytes.toFixed(1)} kB compressed; ${limit} is the limit`,
            )
            .join('\n'),
        )
    },
  }
}

/** Routes name their screens in `route.ts` files and in the shell's own. */
const isRoute = (importers: readonly string[]): boolean =>
  importers.some((file) => /\/(?:route|layout-routes)\.tsx?$/.test(file) && !file.endsWith('/error-page.tsx'))
