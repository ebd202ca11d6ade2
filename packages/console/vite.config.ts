import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { buildBudget } from './build-budget.ts'
import { compressBuild } from './compress-build.ts'

export default defineConfig({
  plugins: [react(), buildBudget(), compressBuild()],
  build: {
    outDir: 'dist',
    target: 'es2023',
    // Fonts and pictures stay files, so a strict `font-src 'self'` holds.
    assetsInlineLimit: 0,
  },
  test: {
    environment: 'happy-dom',
    include: ['src/**/*.test.{ts,tsx}'],
    // One page for all files: making one each took most of the time.
    isolate: false,
    testTimeout: 20_000,
    setupFiles: ['src/test-setup.ts'],
    // Two tests read the style sheets as text; without this they would be empty.
    css: true,
  },
})
