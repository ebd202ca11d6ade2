// The browser of `./fairway bench stream`, which has none itself: `node e2e/remote-page.ts [argument of Chromium]…`.
// Each line of its input is JSON: an expression for the page, or null for another page with a video and hls.js in it.
// Each line of its output is what came of one. It ends with its input.
import path from 'node:path'
import readline from 'node:readline'
import { openChromium } from './chromium.ts'

const HLS_JS = path.join(import.meta.dirname, '../node_modules/hls.js/dist/hls.min.js')

const browser = await openChromium('--autoplay-policy=no-user-gesture-required', ...process.argv.slice(2))
try {
  const fresh = async () => {
    const page = await browser.newPage()
    await page.setContent('<!doctype html><video id="video" muted playsinline></video>')
    await page.addScriptTag({ path: HLS_JS })
    return page
  }
  let page = await fresh()
  for await (const line of readline.createInterface({ input: process.stdin })) {
    const asked: unknown = JSON.parse(line)
    const answer = await (async () => {
      if (typeof asked === 'string') return { value: (await page.evaluate<unknown>(asked)) ?? null }
      await page.close()
      page = await fresh()
      return { value: null }
    })().catch((error: unknown) => ({ error: error instanceof Error ? error.message : String(error) }))
    process.stdout.write(`${JSON.stringify(answer)}\n`)
  }
} finally {
  await browser.close()
}
