import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DemoFile } from '@fairway/app'
import type { Browser, Page } from 'playwright-core'
import { flaws } from './axe.ts'
import { chromiumMissing, openChromium } from './chromium.ts'
import { goOn, signIn } from './console-session.ts'
import { pace } from './pace.ts'
import { LAYER, type Screen, screensOf, show } from './screens.ts'
import { type World, startDemoWorld } from './world.ts'

/** Pages that look at screens side by side: most of a screen's time is waiting. */
const PAGES = 3
const skip = chromiumMissing

const stack = new AsyncDisposableStack()
let world: World & { demo: DemoFile }
let browser: Browser

before(async () => {
  if (skip) return
  world = stack.use(await startDemoWorld({ FAIRWAY_VISITORS_PER_SECOND: '5' }))
  browser = await openChromium()
  stack.defer(() => browser.close())
})
after(() => stack.disposeAsync())

test(
  'axe finds nothing on any screen or open layer, light and dark; the browser has nothing to complain of',
  { skip },
  async (t) => {
    const complaints: string[] = []
    const context = await browser.newContext({
      baseURL: world.url,
      viewport: { width: 1440, height: 900 },
      locale: 'en-US',
      colorScheme: 'light',
      reducedMotion: 'reduce',
    })
    context.on(
      'console',
      (message) =>
        ['error', 'warning'].includes(message.type()) && complaints.push(`${message.page()?.url()}: ${message.text()}`),
    )
    context.on('weberror', (error) => complaints.push(`${error.page()?.url()}: ${error.error().message}`))
    context.setDefaultTimeout(15_000 * pace())
    const first = await context.newPage()
    await first.goto('/')
    await signIn(first, world.demo)
    const found: string[] = []
    // Layers come last: what was opened has to be left behind by way of another page.
    const left = screensOf(world.demo)
      .filter((screen) => !screen.signedOut)
      .toSorted((a, b) => Number(Boolean(a.open)) - Number(Boolean(b.open)))
    t.diagnostic(`${left.length} screens and layers`)
    await Promise.all(
      Array.from({ length: PAGES }, async () => {
        const page = await context.newPage()
        let before: Screen | undefined
        for (let screen = left.shift(); screen; before = screen, screen = left.shift())
          found.push(...(await flawsOf(page, screen, before)))
      }),
    )
    // Told at once: the reporter keeps what was asserted until all tests have ended.
    for (const one of [...found, ...complaints]) t.diagnostic(one)
    assert.deepEqual(found, [])
    assert.deepEqual(complaints, [])
  },
)

async function flawsOf(own: Page, screen: Screen, before: Screen | undefined): Promise<string[]> {
  await own.emulateMedia({ colorScheme: 'light' })
  const isPlain = before && !before.open
  await show(own, screen, before && ((path) => (isPlain ? goOn(own, path) : goAfresh(own, path))))
  // Layers are painted with the colours of the screen below them, which has its own turn.
  if (screen.open)
    return (await flaws(own, 'all', { within: (await own.locator(LAYER).count()) > 0 ? LAYER : 'main' })).map(
      (flaw) => `${screen.name}: ${flaw}`,
    )
  // The bar and the navigation are the same around every screen.
  const part = before ? 'screen' : 'page'
  const found = (await flaws(own, 'all', part)).map((flaw) => `${screen.name}, light: ${flaw}`)
  await own.emulateMedia({ colorScheme: 'dark' })
  // What the two schemes do not share is colour.
  found.push(...(await flaws(own, 'colour', part)).map((flaw) => `${screen.name}, dark: ${flaw}`))
  return found
}

/**
 * To a screen as one who comes to it for the first time: by way of a page of another layout, which ends what is open.
 * Where a layer outlives that, or a form asks before it is left, the console is loaded again.
 */
async function goAfresh(own: Page, path: string): Promise<void> {
  const left = await goOn(own, '/docs/errors', 3_000).then(
    async () => (await own.locator(LAYER).count()) === 0,
    () => false,
  )
  if (left) await goOn(own, path)
  else await own.goto(path)
}
