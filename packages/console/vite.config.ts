import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { buildBudget } from './build-budget.ts'
import { compileAhead } from './compile-ahead.ts'
import { compressBuild } from './compress-build.ts'
import { withoutJsonSchemas } from './json-schemas.ts'
import { layoutFile } from './layout-file.ts'
import { ROOMS, isSmall } from './rooms.ts'
import { mantineStyles } from './mantine-styles.ts'
import { preloadAtStart } from './preload-at-start.ts'
import { withoutRouteWords } from './route-words.ts'
import { runWhenBuilt } from './run-when-built.ts'

const layout = layoutFile()

export default defineConfig({
  plugins: [
    withoutRouteWords(),
    withoutJsonSchemas(),
    react(),
    runWhenBuilt(),
    layout.plugin,
    preloadAtStart(),
    buildBudget(),
    mantineStyles(),
    compileAhead(),
    compressBuild(),
  ],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // Fonts and pictures stay files, so a strict `font-src 'self'` holds.
    assetsInlineLimit: 0,
    // What every page starts with is one file, what most screens share is another, and what goes together on a screen
    // (tables, forms, a feature's own parts) is one more: the bundler would cut wherever two screens share less, into
    // hundreds that wait for each other.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'start', tags: ['$initial'], priority: 4 },
            { name: 'common', test: layout.isOfBoth, priority: 3 },
            { name: 'layout', test: layout.isOfLayout, priority: 2 },
            { name: 'parts', test: isSmall, minShareCount: 2, priority: 1 },
            { name: 'icons', test: /\/@tabler\/icons-react\//, minShareCount: 2 },
            ...ROOMS.map((room) => ({ minShareCount: 2, ...room })),
          ],
        },
      },
    },
  },
  test: {
    environment: 'happy-dom',
    // As browsers get it: in Node it would send by Node's own means.
    alias: [
      {
        find: /^tus-js-client$/,
        replacement: fileURLToPath(import.meta.resolve('tus-js-client/lib.es5/browser/index.js')),
      },
    ],
    include: ['src/**/*.test.{ts,tsx}'],
    // One page for all files: making one each took most of the time.
    isolate: false,
    testTimeout: 60_000,
    setupFiles: ['src/test-setup.ts'],
    // Two tests read the style sheets as text; without this they would be empty.
    css: true,
  },
})
