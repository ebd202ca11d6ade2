// The browser's part of `./fairway bench records`: `node e2e/measure-records.ts <url> <site> <email> <password>`, for a
// site with very many records.
import type { Browser, CDPSession, Page } from 'playwright-core'
import { openChromium } from './chromium.ts'
import { signIn } from './console-session.ts'
import { until } from './until.ts'

const OPENINGS = 5
/** So long a pointer rests on a link before it is pressed; the console asks for the page meanwhile. */
const POINTED_MS = 150
const KEY_PAUSE_MS = 250
/** Each key leaves other rows than the one before. */
const TYPED = [
  '4',
  '2',
  '1',
  'Backspace',
  'Backspace',
  'Backspace',
  '9',
  '1',
  'Backspace',
  'Backspace',
  '1',
  '9',
  '8',
  'Backspace',
  'Backspace',
  'Backspace',
  '7',
]
const SCROLL = { px: 20_000, pxPerSecond: 2_000 }
/** Nothing else is asked or drawn any more. */
const SETTLE_MS = 1_500
const LONG_WAIT_MS = 180_000

const [url, site, email, password] = process.argv.slice(2)
if (!url || !site || !email || !password)
  throw new Error('say where and who: node e2e/measure-records.ts <url> <site> <email> <password>')

/**
 * What the page is asked to note: the time from an input to the frame that shows its effect, every frame of its own,
 * every task that blocked, and whether a scroll had run ahead of the rows.
 */
const PROBE = `{
  const bench = (window.bench = { frames: [], looks: 0, missing: 0, blocked: [], watching: false, since: 0 })
  new PerformanceObserver((list) => bench.blocked.push(...list.getEntries().map(({ duration }) => duration))).observe({ type: 'longtask' })
  const painted = () => new Promise((done) => requestAnimationFrame(() => { const { port1, port2 } = new MessageChannel(); port1.onmessage = () => done(performance.now()); port2.postMessage(0) }))
  // From the next event of this kind until 'shown' holds and has been painted.
  bench.from = (kind, shown) => new Promise((done) => addEventListener(kind, ({ timeStamp }) => {
    bench.since = timeStamp
    const check = () => (shown() ? (observer.disconnect(), painted().then((at) => done(at - timeStamp))) : undefined)
    const observer = new MutationObserver(check)
    observer.observe(document, { subtree: true, childList: true, characterData: true, attributes: true })
  }, { capture: true, once: true }))
  bench.rows = () => document.querySelectorAll('tr[data-row-id]').length
  bench.count = () => document.querySelector('[role=search] [role=status]')?.textContent ?? ''
  bench.watch = () => {
    Object.assign(bench, { frames: [], looks: 0, missing: 0, watching: true })
    const frame = document.querySelector('tr[data-row-id]').closest('table').parentElement.getBoundingClientRect()
    const each = (at) => {
      bench.frames.push(at)
      if (bench.watching) requestAnimationFrame(each)
    }
    // Before the page's own listener draws what has come: this is what was on the screen when the scroll arrived.
    const look = () => {
      bench.looks++
      if (![0.2, 0.5, 0.95].every((share) => document.elementFromPoint(frame.left + 200, frame.top + 40 + (frame.height - 40) * share)?.closest('tr[data-row-id]'))) bench.missing++
    }
    addEventListener('scroll', look, { capture: true, passive: true })
    requestAnimationFrame(each)
  }
}`

/** Answers when all rows are in the table, in ms since the last event that was waited for. */
const ALL_THERE = `new Promise((done) => { const look = () => (Number(document.querySelector('table[aria-rowcount]')?.ariaRowCount) > 1000 ? done(performance.now() - bench.since) : setTimeout(look, 10)); look() })`

type Figures = { wallMs: number[]; blockedMs: number[]; cpuMs: number }

const browser = await openChromium()
try {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1440, height: 900 } })
  await context.addInitScript(PROBE)
  const page = await context.newPage()
  page.setDefaultTimeout(LONG_WAIT_MS)
  const cdp = await context.newCDPSession(page)
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' })
  await signIn(page, { email, password })
  say('from the click on the link to rows painted, page loaded before', await openings(page, cdp, 0))
  say(`the same, the pointer on the link ${POINTED_MS} ms before`, await openings(page, cdp, POINTED_MS))
  say('from a key in the search to changed rows', await typing(page, cdp))
  await scrolling(browser, page, cdp)
  await changingAll(page, cdp)
} finally {
  await browser.close()
}

function say(what: string, { wallMs, blockedMs, cpuMs }: Figures, more = ''): void {
  const sorted = wallMs.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
  const times =
    sorted.length > 1
      ? `p50 ${middle.toFixed(0)} ms, slowest ${(sorted.at(-1) ?? 0).toFixed(0)} ms`
      : `${middle.toFixed(0)} ms`
  process.stdout.write(
    `${what}: ${times}; CPU of the main thread ${(cpuMs / wallMs.length).toFixed(0)} ms each; longest task ${Math.max(0, ...blockedMs).toFixed(0)} ms${more}\n`,
  )
}

async function openings(page: Page, cdp: CDPSession, pointedMs: number): Promise<Figures> {
  const figures: Figures = { wallMs: [], blockedMs: [], cpuMs: 0 }
  const all: Figures = { wallMs: [], blockedMs: [], cpuMs: 0 }
  // The very first one loads the program of the screen, as the first visit after an upgrade does: it is told apart.
  for (let round = pointedMs === 0 ? 0 : 1; round <= OPENINGS; round++) {
    await page.goto(`/${site}/dns/settings`)
    const link = page.locator('a[href$="/dns/dns-records"]').first()
    await link.waitFor()
    await page.waitForTimeout(SETTLE_MS)
    if (pointedMs > 0) {
      await link.hover()
      await page.waitForTimeout(pointedMs)
    }
    const before = await cpu(cdp)
    const one = await taken(page, cdp, 'click', 'bench.rows() > 12', () => link.click())
    const allMs = await page.evaluate<number>(ALL_THERE)
    if (round === 0) {
      say('the first time in this browser', one)
      const entry = await page.evaluate<{ encodedBodySize: number; decodedBodySize: number; duration: number } | null>(
        `performance.getEntriesByType('resource').find(({ name }) => name.includes('/rrsets/?page_size=-1'))?.toJSON() ?? null`,
      )
      if (entry)
        process.stdout.write(
          `the list over the wire: ${(entry.encodedBodySize / 1000).toFixed(0)} KB of ${(entry.decodedBodySize / 1000).toFixed(0)} KB\n`,
        )
      continue
    }
    figures.wallMs.push(...one.wallMs)
    figures.blockedMs.push(...one.blockedMs)
    figures.cpuMs += one.cpuMs
    all.wallMs.push(allMs)
    all.cpuMs += (await cpu(cdp)) - before
  }
  if (pointedMs === 0) say('until all of them are there, to be sorted and counted', all)
  return figures
}

async function typing(page: Page, cdp: CDPSession): Promise<Figures> {
  await page.locator('[role=search] input').focus()
  const figures: Figures = { wallMs: [], blockedMs: [], cpuMs: 0 }
  for (const key of TYPED) {
    const before = JSON.stringify(await page.evaluate('bench.count()'))
    const one = await taken(page, cdp, 'keydown', `bench.count() !== ${before}`, () => page.keyboard.press(key))
    figures.wallMs.push(...one.wallMs)
    figures.blockedMs.push(...one.blockedMs)
    figures.cpuMs += one.cpuMs
    await page.waitForTimeout(KEY_PAUSE_MS)
  }
  await page.locator('[role=search] input').fill('')
  await page.waitForTimeout(SETTLE_MS)
  return figures
}

/**
 * A steady scroll, as a wheel makes it: 50 rows a second. The browser's own thread shows frames of it; new rows come
 * with frames of the page.
 */
async function scrolling(browser: Browser, page: Page, cdp: CDPSession): Promise<void> {
  const box = await page.locator('table').boundingBox()
  if (!box) throw new Error('no table')
  const before = await cpu(cdp)
  await page.evaluate('bench.blocked.length = 0; bench.watch()')
  await browser.startTracing(page, { categories: ['-*', 'cc', 'benchmark'] })
  await cdp.send('Input.synthesizeScrollGesture', {
    x: box.x + 300,
    y: 500,
    yDistance: -SCROLL.px,
    speed: SCROLL.pxPerSecond,
    gestureSourceType: 'mouse',
  })
  const shown = framesShown(await browser.stopTracing())
  const { frames, looks, missing, blocked } = await page.evaluate<{
    frames: number[]
    looks: number
    missing: number
    blocked: number[]
  }>('bench.watching = false, bench')
  const cpuMs = (await cpu(cdp)) - before
  const seconds = SCROLL.px / SCROLL.pxPerSecond
  const own = frames.filter((at) => at - (frames[0] ?? 0) <= seconds * 1000).length
  const rows = SCROLL.px / 40
  process.stdout.write(
    `scrolling ${rows} rows in ${seconds} s: ${(shown.presented / shown.seconds).toFixed(1)} frames a second on the screen, ${shown.incomplete} of ${shown.presented} not painted to the edge; ${(own / seconds).toFixed(1)} a second of the page's own, ${missing} of ${looks} scrolls met a row that was not there yet; CPU of the main thread ${(cpuMs / rows).toFixed(1)} ms a row; longest task ${Math.max(0, ...blocked).toFixed(0)} ms\n`,
  )
  await page.evaluate(`document.querySelector('table').parentElement.scrollTop = 0`)
  await page.waitForTimeout(SETTLE_MS)
}

/** What Chromium's compositor tells of each frame, as far as it is looked at here. */
type Trace = {
  traceEvents: {
    ts: number
    args?: {
      frame_reporter?: {
        frame_sequence: number
        state: string
        scroll_state: string
        checkerboarded_needs_raster: boolean
        checkerboarded_needs_record: boolean
      }
    }
  }[]
}

/** Frames of a trace that reached the screen while something scrolled. */
function framesShown(trace: Buffer): { presented: number; incomplete: number; seconds: number } {
  const { traceEvents }: Trace = JSON.parse(trace.toString())
  const frames = traceEvents
    .flatMap(({ ts, args }) => (args?.frame_reporter ? [{ ts, ...args.frame_reporter }] : []))
    .filter(({ scroll_state, state }) => scroll_state !== 'SCROLL_NONE' && state.startsWith('STATE_PRESENTED'))
  const at = frames.map(({ ts }) => ts)
  // A frame is told of twice when the page's part of it came later than the scroll's.
  const different = (some: typeof frames) => new Set(some.map(({ frame_sequence }) => frame_sequence)).size
  return {
    presented: different(frames),
    incomplete: different(
      frames.filter((frame) => frame.checkerboarded_needs_raster || frame.checkerboarded_needs_record),
    ),
    seconds: (Math.max(...at) - Math.min(...at)) / 1_000_000,
  }
}

/** All records at once: chosen, changed, changed back by Undo, deleted, brought back by Undo. */
async function changingAll(page: Page, cdp: CDPSession): Promise<void> {
  const done = `[...document.querySelectorAll('button')].some(({ textContent }) => textContent === 'Undo')`
  const changed = `document.querySelector('tr[data-row-id] td:nth-child(5)')?.textContent === '1 hr'`
  say(
    'all chosen',
    await taken(page, cdp, 'click', 'document.querySelector("[role=toolbar]") !== null', () =>
      page.locator('thead input[type=checkbox]').click(),
    ),
  )
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('dialog').getByLabel('TTL').first().click()
  await page.getByRole('option', { name: '1 hr', exact: true }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Change/ })
    .click()
  say(
    'all changed, from the confirmation to the message with Undo',
    await taken(page, cdp, 'click', done, () =>
      page.getByRole('button', { name: 'Change anyway' }).click({ timeout: LONG_WAIT_MS }),
    ),
  )
  await until('all rows changed', () => page.evaluate<boolean>(changed), LONG_WAIT_MS)
  say(
    'changed back by Undo, to rows painted',
    await taken(page, cdp, 'click', `!(${changed})`, () => page.getByRole('button', { name: 'Undo' }).click()),
  )
  await page.waitForTimeout(SETTLE_MS)
  await page.locator('thead input[type=checkbox]').click()
  await page.getByRole('button', { name: 'Delete…' }).click()
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /^Delete/ })
    .click()
  say(
    'all deleted, to the message with Undo',
    await taken(page, cdp, 'click', done, () =>
      page.getByRole('button', { name: 'Delete anyway' }).click({ timeout: LONG_WAIT_MS }),
    ),
  )
  say(
    'brought back by Undo, to rows painted',
    await taken(page, cdp, 'click', 'bench.rows() > 12', () => page.getByRole('button', { name: 'Undo' }).click()),
  )
}

/**
 * Acts, and answers the time from the event to the painted effect, what blocked meanwhile, and the main thread's CPU
 * until the page rests.
 */
async function taken(
  page: Page,
  cdp: CDPSession,
  kind: string,
  shown: string,
  act: () => Promise<void>,
): Promise<Figures> {
  await page.evaluate(`bench.blocked.length = 0; bench.taken = bench.from('${kind}', () => ${shown}); undefined`)
  const before = await cpu(cdp)
  await act()
  const wallMs = await page.evaluate<number>(
    `Promise.race([bench.taken, new Promise((_, refuse) => setTimeout(() => refuse(new Error('never seen: ' + ${JSON.stringify(shown)})), ${LONG_WAIT_MS}))])`,
  )
  const cpuMs = (await cpu(cdp)) - before
  await page.waitForTimeout(KEY_PAUSE_MS)
  return { wallMs: [wallMs], blockedMs: await page.evaluate<number[]>('[...bench.blocked]'), cpuMs }
}

async function cpu(cdp: CDPSession): Promise<number> {
  const { metrics } = await cdp.send('Performance.getMetrics')
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1000
}
