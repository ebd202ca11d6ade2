import { after } from 'node:test'

/** Longer than anything takes that a test may leave to end by itself, and than what its files' hooks take down. */
const PATIENCE_MS = Number(process.env['TEST_PATIENCE_MS'] ?? 60_000)

/**
 * Ends this process some time after its tests, whatever still runs: one test that failed with its server open would
 * keep a place of the run until the whole file's time is over.
 */
export function endSoon(): void {
  setTimeout(() => {
    process.stderr.write(`fairway: tests left something running: ${process.argv[1]}\n`)
    process.exit()
  }, PATIENCE_MS).unref()
}

// Loaded before a test file. Where several share a process the first one's end is not the last one's.
if (process.env['NODE_TEST_CONTEXT'] && !process.argv[1]?.endsWith('.together.mjs')) after(endSoon)
