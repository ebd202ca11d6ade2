import fs from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Plugin } from 'vite'

const brotli = promisify(zlib.brotliCompress)
const gzip = promisify(zlib.gzip)
/** Slower ones save a percent more and take seconds. */
const QUALITY = { brotli: 9, gzip: 8 }

/**
 * Puts `.br` and `.gz` beside every script, style and picture of text, so that the API sends them compressed without
 * doing it each time.
 */
export function compressBuild(): Plugin {
  return {
    name: 'compress-build',
    apply: 'build',
    async writeBundle({ dir = 'dist' }, bundle) {
      const files = Object.keys(bundle)
        .filter((name) => name.startsWith('assets/') && /\.(?:js|css|svg|json)$/.test(name))
        .map((name) => path.join(dir, name))
      await Promise.all(
        files.map(async (file) => {
          const content = await fs.promises.readFile(file)
          const [small, smaller] = await Promise.all([
            gzip(content, { level: QUALITY.gzip }),
            brotli(content, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: QUALITY.brotli } }),
          ])
          await Promise.all([fs.promises.writeFile(`${file}.gz`, small), fs.promises.writeFile(`${file}.br`, smaller)])
        }),
      )
    },
  }
}
