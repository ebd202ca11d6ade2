import type { Page } from 'playwright-core'
import { until } from './until.ts'

/** What an address did from its first byte until it had come to rest. */
export type Steadiness = {
  /** Sum of the layout shifts that nobody asked for. */
  shift: number
  /** What moved most, for whoever mends it. */
  moved: string
  /** Files of program asked for. */
  scripts: number
  /** Pixels wider than the window. */
  over: number
  /** Headings of the first level that are seen. */
  headings: number
}

/**
 * Runs in the page before anything of its own does. The API's answers come later than from the same machine, each at
 * its own time: what stands there until then must have the height of what takes its place.
 */
export const SHIFTS_FROM_START = `
  const ask = window.fetch
  window.fetch = async (...what) => {
    const answer = await ask(...what)
    const late = [...new URL(answer.url || location.href).pathname].reduce((sum, sign) => (sum * 31 + sign.charCodeAt(0)) % 300, 7)
    await new Promise((done) => setTimeout(done, 100 + late))
    return answer
  }
  window.shiftsSeen = []
  new PerformanceObserver((list) => {
    for (const one of list.getEntries())
      if (!one.hadRecentInput)
        window.shiftsSeen.push({ value: one.value, at: Math.round(one.startTime), of: one.sources.map(({ node, previousRect: a, currentRect: b }) => {
          const element = node instanceof Element ? node : node?.parentElement
          const name = element ? element.tagName.toLowerCase() + '.' + String(element.getAttribute('class')).split(' ').filter((word) => !/^m_/.test(word)).join('.') : 'gone'
          return name + ' ' + [a.x, a.y, a.width, a.height].map(Math.round).join(' ') + ' > ' + [b.x, b.y, b.width, b.height].map(Math.round).join(' ')
        }) })
  }).observe({ type: 'layout-shift', buffered: true })
`

/** No request on its way for so long is rest: live figures ask again every few seconds. */
const REST_MS = 500
/** Without a heading it has not arrived; so long is given to it, and it is then said to have none. */
const ARRIVED_MS = 15_000

const LOOK = `(() => {
  const scripts = performance.getEntriesByType('resource').filter(({ name }) => /\\.js(?:$|[?])/.test(name))
  const shifts = window.shiftsSeen
  const largest = shifts.toSorted((a, b) => b.value - a.value)[0]
  return {
    shift: shifts.reduce((sum, { value }) => sum + value, 0),
    moved: largest && largest.value > 0.01 ? largest.value.toFixed(3) + ' at ' + largest.at + ' ms: ' + largest.of.join('; ') : '',
    scripts: scripts.length,
    over: document.documentElement.scrollWidth - innerWidth,
    headings: [...document.querySelectorAll('h1')].filter((one) => one.checkVisibility()).length,
    last: Math.max(0, ...scripts.map(({ responseEnd }) => responseEnd), ...shifts.map(({ at }) => at)),
    now: performance.now(),
  }
})()`

/** Waits for rest, and answers what was seen until then. */
export async function steadinessOf(page: Page): Promise<Steadiness> {
  return until(
    `${page.url()} at rest`,
    async () => {
      const { last, now, ...seen } = await page.evaluate<Steadiness & { last: number; now: number }>(LOOK)
      return now - last > REST_MS && (seen.headings > 0 || now > ARRIVED_MS) ? seen : null
    },
    20_000,
  )
}
