import fs from 'node:fs'
import type { Plugin } from 'vite'

const MODULES = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/
const EXPORTED = /^export (?:const|function) (\w+)|^export \{ \w+ as (\w+) \}/gm

/**
 * Leaves out what makes documents of schemas: the API's are made on the server, and no page asks for one, but each kind
 * of schema names what would make it, so every page would carry it.
 */
export function withoutJsonSchemas(): Plugin {
  return {
    name: 'without-json-schemas',
    apply: 'build',
    enforce: 'pre',
    load(id) {
      if (!MODULES.test(id)) return null
      const names = [...fs.readFileSync(id, 'utf8').matchAll(EXPORTED)].map(([, own, other]) => own ?? other)
      if (names.length === 0) this.error(`${id} exports nothing that is known here`)
      return `const none = () => none\nexport { ${names.map((name) => `none as ${name}`).join(', ')} }`
    },
  }
}
