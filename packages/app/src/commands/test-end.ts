import { after } from 'node:test'

/** How long what tests leave behind may take to end by itself, and what their files' hooks take down: milliseconds. */
const patienceMs = Number(/test-end\.ts\?patience=(\d+)/.exec(process.execArgv.join(' '))?.[1])

/**
 * Ends this process some time after its tests, whatever still runs: one test that failed with its server open would
 * keep a place of the run until the whole file's time is over.
 */
export function endSoon(): void {
  setTimeout(() => {
    process.stderr.write(`fairway: tests left something running: ${process.argv[1]}\n`)
    process.exit()
  }, patienceMs).unref()
}

// Loaded before a test file, and by the runner itself. Where several share a process the first one's end is not its end.
if (!process.execArgv.includes('--test') && !process.argv[1]?.endsWith('.together.mjs')) after(endSoon)
