import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DemoFile } from '@fairway/app'
import type { Browser, BrowserContext } from 'playwright-core'
import { chromiumMissing, openChromium } from './chromium.ts'
import { signIn } from './console-session.ts'
import { pace } from './pace.ts'
import { type Screen, screensOf, show } from './screens.ts'
import { SHIFTS_FROM_START, type Steadiness, steadinessOf } from './steadiness.ts'
import { type World, startDemoWorld } from './world.ts'

/** Pages that look at screens side by side: most of a screen's time is waiting. */
const PAGES = 3
const WIDTHS = { desk: { width: 1440, height: 900 }, phone: { width: 390, height: 844 } } as const
/** What a person calls still, of what the browser reckons. */
const MAX_SHIFT = 0.05
const MAX_SCRIPTS = 25
const skip = chromiumMissing

type Row = Steadiness & { screen: string; width: keyof typeof WIDTHS }

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

for (const [width, where] of [
  ['desk', 'at a desk'],
  ['phone', 'on a phone'],
] as const)
  test(
    `every address, opened cold ${where}, stays where it was first painted, asks for few scripts, has one heading and fits`,
    { skip },
    async (t) => {
      const rows: Row[] = []
      for (const signedOut of [true, false]) rows.push(...(await walk(width, signedOut)))
      rows.sort((a, b) => b.shift - a.shift)
      for (const row of rows) t.diagnostic(line(row))
      assert.deepEqual(rows.filter((row) => wrong(row)).map(line), [])
    },
  )

async function walk(width: keyof typeof WIDTHS, signedOut: boolean): Promise<Row[]> {
  await using context = await browser.newContext({
    baseURL: world.url,
    viewport: WIDTHS[width],
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(15_000 * pace())
  await context.addInitScript(SHIFTS_FROM_START)
  if (!signedOut) {
    const page = await context.newPage()
    await signIn(page, world.demo)
    await page.close()
  }
  const left = screensOf(world.demo).filter((screen) => !screen.open && Boolean(screen.signedOut) === signedOut)
  const rows = await Promise.all(Array.from({ length: PAGES }, () => look(context, left, width)))
  return rows.flat()
}

async function look(context: BrowserContext, left: Screen[], width: keyof typeof WIDTHS): Promise<Row[]> {
  const page = await context.newPage()
  const rows: Row[] = []
  for (let screen = left.shift(); screen; screen = left.shift()) {
    await show(page, screen)
    const seen = await steadinessOf(page)
    rows.push({ screen: screen.name, width, ...seen })
  }
  return rows
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
