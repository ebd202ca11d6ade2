import fs from 'node:fs'
import path from 'node:path'
import type { Plugin } from 'vite'

const LIST = path.join(import.meta.dirname, 'src/ui/look/mantine.css')
/** Of no component: what all of them stand on. */
const BASE = ['baseline', 'default-css-variables', 'global']
/** A part with a style sheet has one of these in the build. */
const CLASSES = /\/@mantine\/core\/esm\/.*\/([\w-]+)\.module\.mjs$/

/** Refuses a build with a part of Mantine whose style sheet `mantine.css` leaves out, or with one that nothing uses. */
export function mantineStyles(): Plugin {
  return {
    name: 'mantine-styles',
    apply: 'build',
    generateBundle(_, bundle) {
      const used = new Set(BASE)
      for (const output of Object.values(bundle))
        for (const id of output.type === 'chunk' ? output.moduleIds : []) {
          const part = CLASSES.exec(id)?.[1]
          if (part !== undefined) used.add(part)
        }
      const listed = new Set(
        [...fs.readFileSync(LIST, 'utf8').matchAll(/styles\/([\w-]+)\.layer/g)].map(([, one]) => one),
      )
      const missing = [...used].filter((one) => !listed.has(one))
      const idle = [...listed].filter((one) => one !== undefined && !used.has(one))
      if (missing.length + idle.length > 0)
        this.error(`${LIST}: missing ${missing.join(', ') || 'nothing'}; not needed ${idle.join(', ') || 'nothing'}`)
    },
  }
}
