// Writes pictures of every screen of the console: `node e2e/screenshots.ts <folder> [parts of screens' names, with
// commas between]`. It starts a demo of its own.
import fs from 'node:fs'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import { openChromium } from './chromium.ts'
import { signIn } from './console-session.ts'
import { type Screen, screensOf, show } from './screens.ts'
import { startDemoWorld } from './world.ts'

type Look = { name: string; colorScheme: 'light' | 'dark'; locale: string; viewport: { width: number; height: number } }

const DESK = { width: 1440, height: 900 }
const LOOKS: readonly Look[] = [
  { name: 'light', colorScheme: 'light', locale: 'en-US', viewport: DESK },
  { name: 'dark', colorScheme: 'dark', locale: 'en-US', viewport: DESK },
  { name: 'zhHant', colorScheme: 'light', locale: 'zh-TW', viewport: DESK },
  { name: 'phone', colorScheme: 'light', locale: 'en-US', viewport: { width: 390, height: 844 } },
]
/** Until the live figures of a fresh demo have something to show. */
const FILL_MS = 60_000

/** Pixels of the page below the window. */
const HIDDEN = `Math.max(0, ...[...document.querySelectorAll('main, main *, div:has(> main)')].filter((one) => /auto|scroll/.test(getComputedStyle(one).overflowY)).map((one) => one.scrollHeight - one.clientHeight), document.documentElement.scrollHeight - innerHeight)`

const [folder, wanted = ''] = process.argv.slice(2)
if (!folder) throw new Error('say where to: node e2e/screenshots.ts <folder>')
fs.mkdirSync(folder, { recursive: true })
await using world = await startDemoWorld()
await delay(FILL_MS)
const browser = await openChromium()
try {
  for (const look of LOOKS) await takeAll(browser, look)
} finally {
  await browser.close()
}

async function takeAll(browser: Browser, look: Look): Promise<void> {
  const context = await browser.newContext({
    colorScheme: look.colorScheme,
    locale: look.locale,
    viewport: look.viewport,
    baseURL: world.url,
    reducedMotion: 'reduce',
  })
  const page = await context.newPage()
  const screens = screensOf(world.demo).filter(({ name }) => wanted.split(',').some((part) => name.includes(part)))
  for (const screen of screens.filter(({ signedOut }) => signedOut)) await take(page, screen, look)
  await signIn(page, world.demo)
  // Layers are opened by their English names.
  for (const screen of screens.filter(({ signedOut, open }) => !signedOut && (look.locale === 'en-US' || !open)))
    await take(page, screen, look)
  await context.close()
}

async function take(page: Page, screen: Screen, { name: look, viewport }: Look): Promise<void> {
  const file = path.join(folder ?? '', `${screen.name}-${look}.png`)
  try {
    await page.setViewportSize(viewport)
    await show(page, screen)
    // The page scrolls inside the shell: the window is made as high as what it holds.
    const hidden = Number(await page.evaluate(HIDDEN))
    if (!screen.open && hidden > 0) await page.setViewportSize({ ...viewport, height: viewport.height + hidden })
    await page.screenshot({ path: file })
    process.stdout.write(`${file}\n`)
  } catch (error) {
    process.stderr.write(`${file}: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}\n`)
    process.exitCode = 1
  }
}
