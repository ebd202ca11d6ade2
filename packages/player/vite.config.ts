import fs from 'node:fs'
import path from 'node:path'
import { defineConfig } from 'vite'
import { playerBudget } from './player-budget.ts'

const LIBRARY = path.join(import.meta.dirname, '../../node_modules/hls.js')
const { version } = JSON.parse(fs.readFileSync(path.join(LIBRARY, 'package.json'), 'utf8')) as { version: string }

const LICENCES = '/*! With hls.js (Apache-2.0; Dailymotion and its contributors) and Media Chrome (MIT; Mux, Inc.) */'

/** Parts of hls.js that no video of ours needs are left out, by the switches that its own build has. */
const PARTS = {
  __USE_ALT_AUDIO__: true,
  __USE_CMCD__: true,
  __USE_CONTENT_STEERING__: true,
  __USE_SUBTITLES__: true,
  __USE_EME_DRM__: false,
  __USE_IFRAMES__: false,
  __USE_INTERSTITIALS__: false,
  __USE_M2TS_ADVANCED_CODECS__: false,
  __USE_MEDIA_CAPABILITIES__: false,
  __USE_VARIABLE_SUBSTITUTION__: false,
  __HLS_WORKER_BUNDLE__: 'undefined',
  __IN_WORKER__: false,
  __VERSION__: JSON.stringify(version),
}

export default defineConfig({
  plugins: [playerBudget()],
  resolve: { alias: [{ find: /^hls\.js$/, replacement: path.join(LIBRARY, 'src/hls.ts') }] },
  define: Object.fromEntries(Object.entries(PARTS).map(([name, value]) => [name, String(value)])),
  build: {
    outDir: 'dist',
    target: 'es2022',
    modulePreload: false,
    rolldownOptions: {
      input: 'src/v1.ts',
      // Addresses of pages say the version; what it is made of has its own hash.
      output: { entryFileNames: 'v1.js', chunkFileNames: '[name]-[hash].js', format: 'es', postBanner: LICENCES },
    },
  },
})
