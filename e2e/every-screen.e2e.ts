import assert from 'node:assert/strict'
import { type TestContext, after, before, test } from 'node:test'
import type { DemoFile } from '@fairway/app'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { flaws } from './axe.ts'
import { chromiumMissing, openChromium } from './chromium.ts'
import { goOn, signIn } from './console-session.ts'
import { pace } from './pace.ts'
import { LAYER, type Screen, screensOf, show } from './screens.ts'
import { SHIFTS_FROM_START, type Steadiness, steadinessOf } from './steadiness.ts'
import { type World, startDemoWorld } from './world.ts'

/** Pages that look at screens side by side: most of a screen's time is waiting. */
const PAGES = 3
const WIDTHS = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
/**
 * All screens, cold on a phone too and light and dark each, take a quarter of an hour:
 * `THOROUGH=1 node --test e2e/every-screen.e2e.ts`. Else each day has its turn of them.
 */
const isThorough = process.env['THOROUGH'] === '1'
const TURNS = isThorough ? 1 : 12
const TURNS_ON_PHONE = isThorough ? 1 : 2 * TURNS
const DAY = Math.floor(Date.now() / 86_400_000)
const hasTurn = (nth: number, turns: number) => nth % turns === DAY % turns
/** What a person calls still, of what the browser reckons. */
const MAX_SHIFT = 0.05
const MAX_SCRIPTS = 25
const skip = chromiumMissing
const OVER = `new Promise((done) => requestAnimationFrame(() => setTimeout(() => done(document.documentElement.scrollWidth - innerWidth), 100)))`

type Row = Steadiness & { screen: string; width: keyof typeof WIDTHS }

const stack = new AsyncDisposableStack()
let world: World & { demo: DemoFile }
let browser: Browser
/** What axe found at the desk, and what the browser complained of there, at which address. */
const found: string[] = []
const complaints: { at: string; text: string }[] = []

before(async () => {
  if (skip) return
  world = stack.use(await startDemoWorld({ FAIRWAY_VISITORS_PER_SECOND: '5' }))
  browser = await openChromium()
  stack.defer(() => browser.close())
})
after(() => stack.disposeAsync())

test(
  'addresses that are opened cold at a desk stay where they were first painted, ask for few scripts, have one heading and fit, on a phone too',
  { skip },
  (t) => lookAtAll(t, 'desk', TURNS),
)

test(
  'addresses that are opened cold on a phone stay where they were first painted, ask for few scripts, have one heading and fit',
  { skip },
  (t) => lookAtAll(t, 'phone', TURNS_ON_PHONE),
)

test(
  'axe finds nothing on any screen or open layer, light or dark by turns; the browser has nothing to complain of',
  { skip },
  async (t) => {
    await using context = await contextOf('desk', false)
    const left = screensOf(world.demo)
      .filter((screen) => screen.open && !screen.signedOut)
      .filter((_screen, nth) => hasTurn(nth, TURNS))
    t.diagnostic(`${left.length} layers`)
    await sideBySide(context, left, async (page, screen, isFirst) => {
      await show(page, screen, isFirst ? undefined : (path) => goAfresh(page, path))
      // Layers are painted with the colours of the screen below them, which has its own turn.
      const within = (await page.locator(LAYER).count()) > 0 ? LAYER : 'main'
      found.push(...(await flaws(page, 'all', { within })).map((flaw) => `${screen.name}: ${flaw}`))
    })
    const lasting = await complainedOf(context)
    // Told at once: the reporter keeps what was asserted until all tests have ended.
    for (const one of [...found, ...lasting]) t.diagnostic(one)
    assert.deepEqual(found, [])
    assert.deepEqual(lasting, [])
  },
)

/**
 * Opens the addresses whose turn it is in a window of this width. Each is loaded once at a desk: once it has come to rest, axe
 * looks at it, for the test after. A busy machine paints late: what is wrong is so twice.
 */
async function lookAtAll(t: TestContext, width: keyof typeof WIDTHS, turns: number): Promise<void> {
  const rows: Row[] = []
  for (const signedOut of [true, false]) {
    await using context = await contextOf(width, signedOut)
    await context.addInitScript(SHIFTS_FROM_START)
    const look = async (page: Page, screen: Screen, isFirst: boolean) => {
      await page.setViewportSize(WIDTHS[width])
      await page.emulateMedia({ colorScheme: 'light' })
      await show(page, screen)
      const row = { screen: screen.name, width, ...(await steadinessOf(page)) }
      if (width === 'phone') return row
      if (!signedOut) found.push(...(await flawsOf(page, screen, isFirst)))
      await page.setViewportSize(WIDTHS.phone)
      return { ...row, over: Math.max(row.over, await overOf(page)) }
    }
    const screens = screensOf(world.demo)
      .filter((screen) => !screen.open && Boolean(screen.signedOut) === signedOut)
      .filter((_screen, nth) => hasTurn(nth, turns))
    const first: Row[] = []
    await sideBySide(context, screens, async (page, screen, isFirst) => {
      first.push(await look(page, screen, isFirst))
    })
    const doubtful = new Set(first.filter(wrong).map((row) => row.screen))
    const again: Row[] = []
    const page = await context.newPage()
    for (const screen of screens.filter(({ name }) => doubtful.has(name))) again.push(await look(page, screen, false))
    rows.push(...first.filter((row) => !wrong(row)), ...again)
  }
  rows.sort((a, b) => b.shift - a.shift)
  for (const row of rows) t.diagnostic(line(row))
  assert.deepEqual(rows.filter(wrong).map(line), [])
}

/** Pixels by which the page is wider than its window, once it stands still in it. */
function overOf(page: Page): Promise<number> {
  return page.evaluate(OVER)
}

/** A browser's window of this width, signed in or not; what is complained of at the desk is kept. */
async function contextOf(width: keyof typeof WIDTHS, signedOut: boolean): Promise<BrowserContext> {
  const context = await browser.newContext({
    baseURL: world.url,
    viewport: WIDTHS[width],
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(15_000 * pace())
  if (signedOut) return context
  if (width === 'desk') {
    const complain = (page: Page | null, text: string) => complaints.push({ at: page?.url() ?? '', text })
    context.on(
      'console',
      (message) => ['error', 'warning'].includes(message.type()) && complain(message.page(), message.text()),
    )
    context.on('weberror', (error) => complain(error.page(), error.error().message))
  }
  const page = await context.newPage()
  await signIn(page, world.demo)
  await page.close()
  return context
}

/** What the test itself runs in each frame is refused by previews, in which nothing runs. */
const OURS = "Blocked script execution in 'about:srcdoc'"

/** What lasts of the complaints: on a busy machine the event store is too late with an answer, but not twice. */
async function complainedOf(context: BrowserContext): Promise<string[]> {
  const first = complaints.splice(0).filter(({ text }) => !text.startsWith(OURS))
  const late = first.filter(({ text }) => text.includes('status of 503'))
  const page = await context.newPage()
  for (const path of new Set(late.map(({ at }) => at))) await show(page, { name: path, path })
  return first
    .filter((one) => !late.includes(one) || complaints.some(({ at, text }) => at === one.at && text === one.text))
    .map(({ at, text }) => `${at}: ${text}`)
}

async function sideBySide(
  context: BrowserContext,
  screens: Screen[],
  look: (page: Page, screen: Screen, isFirst: boolean) => Promise<void>,
): Promise<void> {
  const left = [...screens]
  await Promise.all(
    Array.from({ length: PAGES }, async () => {
      const page = await context.newPage()
      let isFirst = true
      for (let screen = left.shift(); screen; isFirst = false, screen = left.shift()) await look(page, screen, isFirst)
    }),
  )
}

/** By turns a screen is looked at light and dark, with `THOROUGH=1` both: what the schemes do not share is colour. */
async function flawsOf(page: Page, screen: Screen, isFirst: boolean): Promise<string[]> {
  // The bar and the navigation are the same around every screen.
  const part = isFirst ? 'page' : 'screen'
  const at = screensOf(world.demo).findIndex(({ name }) => name === screen.name)
  const schemes = (['light', 'dark'] as const).filter((_scheme, nth) => isThorough || at % 2 === nth)
  const flawed: string[] = []
  for (const [nth, colorScheme] of schemes.entries()) {
    await page.emulateMedia({ colorScheme })
    const seen = await flaws(page, nth === 0 ? 'all' : 'colour', part)
    flawed.push(...seen.map((flaw) => `${screen.name}, ${colorScheme}: ${flaw}`))
  }
  return flawed
}

/**
 * To a screen as one who comes to it for the first time: by way of a page of another layout, which ends what is open.
 * Where a layer outlives that, or a form asks before it is left, the console is loaded again.
 */
async function goAfresh(page: Page, path: string): Promise<void> {
  const left = await goOn(page, '/docs/errors', 3_000).then(
    async () => (await page.locator(LAYER).count()) === 0,
    () => false,
  )
  if (left) await goOn(page, path)
  else await page.goto(path)
}

function wrong(row: Row): boolean {
  return row.shift > MAX_SHIFT || row.scripts > MAX_SCRIPTS || row.over > 0 || row.headings !== 1
}

function line({ screen, width, shift, moved, scripts, over, headings }: Row): string {
  const facts = [
    `shift ${shift.toFixed(3)}${moved ? ` (${moved})` : ''}`,
    `${scripts} scripts`,
    `${headings} h1`,
    ...(over > 0 ? [`${over} px too wide`] : []),
  ]
  return `${screen}, ${width}: ${facts.join(', ')}`
}
