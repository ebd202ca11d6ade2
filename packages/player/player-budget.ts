import fs from 'node:fs'
import path from 'node:path'
import zlib from 'node:zlib'
import type { Plugin } from 'vite'

/** Kilobytes of 1000 bytes, as brotli sends them: what a page waits for, and with the library behind the picture. */
const LIMITS = { start: 60, all: 170 }

/** Puts `.br` and `.gz` beside each file, says what they weigh, and refuses a build that has grown too heavy. */
export function playerBudget(): Plugin {
  return {
    name: 'player-budget',
    apply: 'build',
    writeBundle({ dir = 'dist' }, bundle) {
      const weights = Object.keys(bundle)
        .filter((name) => name.endsWith('.js'))
        .map((name) => {
          const content = fs.readFileSync(path.join(dir, name))
          const small = zlib.brotliCompressSync(content, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 11 } })
          fs.writeFileSync(path.join(dir, `${name}.br`), small)
          fs.writeFileSync(path.join(dir, `${name}.gz`), zlib.gzipSync(content, { level: 8 }))
          return { name, kilobytes: small.length / 1000 }
        })
      const start = weights.find(({ name }) => name === 'v1.js')?.kilobytes ?? 0
      const all = weights.reduce((sum, { kilobytes }) => sum + kilobytes, 0)
      const told = weights.map(({ name, kilobytes }) => `${name} ${kilobytes.toFixed(1)}`).join(', ')
      this.info(`kB by brotli: ${told}; ${all.toFixed(1)} in all`)
      if (start > LIMITS.start || all > LIMITS.all)
        this.error(
          `the player weighs ${start.toFixed(1)} and ${all.toFixed(1)} kB; ${LIMITS.start} and ${LIMITS.all} are the limits`,
        )
    },
  }
}
