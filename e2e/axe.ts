import { setTimeout as delay } from 'node:timers/promises'
import axe from 'axe-core'
import type { Page } from 'playwright-core'

/** Which rules: all of them, those of the WCAG levels A and AA, or colour alone. */
type Rules = 'all' | 'wcag' | 'colour'

const RUN_ONLY: Record<Rules, string> = {
  all: '',
  wcag: `runOnly: { type: 'tag', values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] },`,
  colour: `runOnly: { type: 'rule', values: ['color-contrast'] },`,
}

/**
 * Half-way between two schemes a colour is neither: the page wears the browser's scheme, and twice in a row nothing
 * moves that will end.
 */
const SETTLED = `(async () => {
  const frames = () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const scheme = () => document.documentElement.dataset.mantineColorScheme === (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')
  for (let still = 0, tries = 0; still < 2 && tries < 100; tries++) {
    await frames()
    const moving = document.getAnimations().filter((one) => one.playState === 'running' && Number.isFinite(one.effect?.getComputedTiming().endTime))
    still = moving.length === 0 && scheme() ? still + 1 : 0
    await Promise.race([Promise.allSettled(moving.map((one) => one.finished)), new Promise((done) => setTimeout(done, 1000))])
  }
})()`

/** A page answers within so many ms. */
const PATIENCE_MS = 20_000

/** Now and then the browser loses the answer of a promise: it is asked again, once. On a busy machine it may still come. */
async function answerOf<T>(page: Page, script: string): Promise<T> {
  const lost = Symbol('lost')
  const first = await Promise.race([page.evaluate<T>(script), delay(PATIENCE_MS, lost, { ref: false })])
  return first === lost ? page.evaluate<T>(script) : (first as T)
}

type Broken = { id: string; nodes: { html: string }[] }

/** What of the page: all of it, what is not the bar and the navigation around every screen, or what a selector names. */
type Part = 'page' | 'screen' | { within: string }

/**
 * What axe finds wrong on the page as it is painted now, or on a part of it; one line for each rule and element. A busy
 * machine paints late: what is wrong is so twice.
 */
export async function flaws(page: Page, rules: Rules = 'all', part: Part = 'page'): Promise<string[]> {
  const found = await once(page, rules, part)
  if (found.length === 0) return []
  const again = new Set(await once(page, rules, part))
  return found.filter((flaw) => again.has(flaw))
}

/** The words in which the page is told what to look at. */
function contextOf(part: Part): string {
  if (part === 'page') return 'document'
  if (part === 'screen')
    return `{ exclude: [...document.querySelectorAll('header, nav')].filter((one) => !one.closest('main')) }`
  return JSON.stringify({ include: [part.within] })
}

async function once(page: Page, rules: Rules, part: Part): Promise<string[]> {
  await answerOf(page, SETTLED)
  // The source is large: a page gets it once.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe.source)
  const broken = await answerOf<Broken[]>(
    page,
    `(async () => { for (let waits = 0; axe._running && waits < 200; waits++) await new Promise((go) => setTimeout(go, 100)); axe._running = false; return axe.run(${contextOf(part)}, { ${RUN_ONLY[rules]} resultTypes: ['violations'], selectors: false, preload: false, iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => ({ id, nodes: nodes.map(({ html }) => ({ html })) }))) })()`,
  )
  return broken.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 300)}`))
}
