import { pathToFileURL } from 'node:url'
import type { Plugin } from 'vite'

/** Modules that only work out constants, from no more than packages and files beside them. */
const MODULES = /\/src\/ui\/charts\/world-shapes\.ts$/

/**
 * Has them run while the console is built: of the map the browser gets its outlines, not the atlas and the geometry
 * they are made with.
 */
export function runWhenBuilt(): Plugin {
  return {
    name: 'run-when-built',
    apply: 'build',
    enforce: 'pre',
    async load(id) {
      if (!MODULES.test(id)) return null
      const constants: Record<string, unknown> = await import(pathToFileURL(id).href)
      // A long text is read faster as JSON than as a program.
      return Object.entries(constants)
        .map(
          ([name, value]) =>
            `export const ${name} = /* @__PURE__ */ JSON.parse(${JSON.stringify(JSON.stringify(value))})`,
        )
        .join('\n')
    },
  }
}
