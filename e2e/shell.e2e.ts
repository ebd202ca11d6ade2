import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { flaws } from './axe.ts'
import { chromiumMissing } from './chromium.ts'
import { goOn } from './console-session.ts'
import { EXPECTED, PAGES } from './shell-pages.ts'
import { KINDS, type Kind, setMaintenance } from './shell-people.ts'
import { walkRoutes } from './shell-routes.ts'
import { AT_ONCE, type Shell, openShell } from './shell-visitors.ts'
import { until } from './until.ts'

const skip = chromiumMissing
const DESK = { width: 1440, height: 900 }
const PHONE = { width: 390, height: 844 }

let shell: Shell

before(async () => {
  if (!skip) shell = await openShell()
})
after(() => shell?.[Symbol.asyncDispose]())

describe(
  'the routes open for every kind of people, or lead where the guards say',
  { skip, concurrency: AT_ONCE },
  () => {
    for (const kind of KINDS.filter((one) => one !== 'maintenance')) test(kind, (t) => walkRoutes(t, shell, kind))
  },
)

describe('every page', { skip, concurrency: AT_ONCE }, () => {
  /** Pages as they are at the end of their ways, each once. */
  const pagesOf = (kind: Kind) =>
    PAGES.filter(
      ({ group, path }) =>
        (EXPECTED[kind][group] ?? EXPECTED[kind].other)(shell.people[kind], path(shell.people[kind])) === 'stays',
    ).map(({ path }) => path(shell.people[kind]))

  // The products' own screens are looked at with the demo's data in them; these are the shell's.
  test('of the shell is clean by axe, light and dark', async () => {
    const found: string[] = []
    for (const [kind, paths] of [
      [
        'anonymous',
        ['/login', '/docs/errors', '/mvp/cost-reduction', '/redirect/third-party-marketplace', '/loginas', '/pricing'],
      ],
      ['surveyMissing', ['/survey']],
      ['noPlan', ['/select-plan']],
      ['paymentFailed', ['/home']],
      ['noSites', ['/add-site']],
      [
        'viewer',
        ['/welcome', '/welcome/origin-shield/assets', '/guide/dns/dns-records', '/account/audit-log', '/operator'],
      ],
    ] as const) {
      await using visitor = await shell.visit(kind)
      for (const path of paths) {
        await visitor.page.emulateMedia({ colorScheme: 'light' })
        await goOn(visitor.page, path)
        await visitor.page
          .locator('main h1')
          .first()
          .waitFor()
          .catch(() => {})
        found.push(...(await violations(visitor.page, false)))
        await visitor.page.emulateMedia({ colorScheme: 'dark' })
        found.push(...(await violations(visitor.page, true)))
      }
    }
    assert.deepEqual(found, [])
  })

  // English made 40 % longer has no room where English has none; both Chinese scripts are as wide as each other. A
  // path's language switches the page that is shown.
  for (const [languages, prefixes] of [
    ['pseudo', ['']],
    ['zhHant', ['/zhHant']],
  ] as const) {
    test(`has room for its texts at 390 and 1440 pixels: ${languages}`, async () => {
      const wide: string[] = []
      for (const kind of ['anonymous', 'enterprise'] as const) {
        await using visitor = await shell.visit(kind, languages === 'pseudo')
        for (const path of pagesOf(kind)) {
          for (const shown of prefixes.map((prefix) => prefix + path)) {
            await goOn(visitor.page, shown)
            for (const viewport of [PHONE, DESK]) {
              await visitor.page.setViewportSize(viewport)
              const over = await visitor.page.evaluate(OVERFLOWING)
              if (Array.isArray(over) && over.length > 0)
                wide.push(`${kind} ${viewport.width} ${shown}: ${over.join(' | ')}`)
            }
          }
        }
      }
      assert.deepEqual(wide, [])
    })
  }
})

test('support mode stays while one goes on, and lifts the way to the payment page', { skip }, async () => {
  await using visitor = await shell.visit('paymentFailed')
  assert.equal(await goOn(visitor.page, '/welcome?soc=1'), '/welcome?soc=1')
  await visitor.page.getByRole('link', { name: /CNAME flattening/ }).click()
  await visitor.page.getByRole('heading', { name: 'CNAME flattening' }).waitFor()
  assert.match(visitor.page.url(), /soc=1/)
})

test('a language in front of a path is kept for a year and leaves the path', { skip }, async () => {
  await using visitor = await shell.visit('owner')
  assert.equal(await goOn(visitor.page, '/zhHant/welcome'), '/welcome')
  await visitor.page.getByRole('heading', { name: '產品與功能' }).waitFor()
  const cookie = (await visitor.context.cookies()).find(({ name }) => name === 'i18n_redirected')
  assert.equal(cookie?.value, 'zhHant')
  assert.ok((cookie?.expires ?? 0) > Date.now() / 1000 + 364 * 86_400)
  assert.equal(await visitor.page.locator('html').getAttribute('lang'), 'zh-Hant')
})

test('a session that has ended leads to sign in, and back', { skip }, async () => {
  await using visitor = await shell.visit('owner')
  await visitor.context.clearCookies({ name: /^fairway_session/ })
  const site = shell.people.owner.site
  await visitor.page.goto(`/${site}/dns/dns-records`)
  await visitor.page.waitForURL(`**/login?next=${encodeURIComponent(`/${site}/dns/dns-records`)}`)
})

test('who looks on as somebody is told so on every page, and can end it', { skip }, async () => {
  await using visitor = await shell.visit('loginAs')
  await goOn(visitor.page, '/welcome')
  await visitor.page.getByText('operator@example.com is signed in as owner@example.com').waitFor()
  await visitor.page.getByRole('button', { name: 'End this session' }).click()
  await visitor.page.getByRole('heading', { name: 'Sign in' }).waitFor()
})

test('a demonstration greets, and refuses what would change it', { skip }, async () => {
  await using visitor = await shell.visit('sandbox')
  await visitor.page.goto('/welcome')
  await visitor.page.getByRole('dialog', { name: /^Welcome to the demo/ }).waitFor()
  await visitor.page.getByRole('button', { name: 'Look around' }).click()
  assert.equal(await visitor.page.getByRole('link', { name: 'Add site' }).count(), 0)
  await visitor.page.getByRole('button', { name: 'open account menu' }).click()
  await visitor.page.getByRole('menuitem', { name: 'Error codes' }).waitFor()
  assert.equal(await visitor.page.getByRole('menuitem', { name: 'Sign out' }).count(), 0)
})

test('scripts are sent compressed, for good', { skip }, async () => {
  const document = await (await fetch(shell.world.url, { headers: { accept: 'text/html' } })).text()
  const script = /src="(\/assets\/[^"]+\.js)"/.exec(document)?.[1]
  assert.ok(script)
  const { headers } = await fetch(shell.world.url + script, { headers: { 'accept-encoding': 'br' } })
  assert.equal(headers.get('content-encoding'), 'br')
  assert.match(headers.get('cache-control') ?? '', /immutable/)
  assert.match(headers.get('content-type') ?? '', /javascript/)
})

test('offline is said and taken back', { skip }, async () => {
  await using visitor = await shell.visit('owner')
  await goOn(visitor.page, '/welcome')
  await visitor.context.setOffline(true)
  await visitor.page.getByText('You are offline.').waitFor()
  await visitor.context.setOffline(false)
  await visitor.page.getByText('You are offline.').waitFor({ state: 'detached' })
})

test('sign-in and Home do not jump while they load; how quick they are is told', { skip }, async (t) => {
  for (const [name, kind, path] of [
    ['sign-in', 'anonymous', '/login'],
    ['Home', 'owner', `/${shell.people.owner.site}/home`],
  ] as const) {
    await using visitor = await shell.visit(kind)
    await visitor.context.addInitScript(WATCH_PAINT)
    await visitor.page.goto(path)
    await visitor.page.locator('html[data-page]').waitFor({ state: 'attached' })
    await visitor.page.getByRole('heading', { level: 1 }).waitFor()
    // The heading is there before it is painted.
    const { largestPaintMs, blockedMs, shift, kilobytes } = await until(
      `the paint of ${name}`,
      async () => {
        const seen = await visitor.page.evaluate<Paint>('globalThis.__paint()')
        return seen.largestPaintMs > 0 && seen
      },
      10_000,
    )
    t.diagnostic(
      `${name}: largest paint after ${Math.round(largestPaintMs)} ms, main thread blocked for ${Math.round(blockedMs)} ms, layout shift ${shift.toFixed(3)}, ${Math.round(kilobytes)} kB`,
    )
    // Times are this machine's and its moment's; a shift is the page's own.
    assert.ok(shift <= 0.1, `${name} shifts by ${shift}`)
  }
})

test('during maintenance the routes lead where the guards say', { skip }, async (t) => {
  await setMaintenance(shell.world, true)
  await walkRoutes(t, shell, 'maintenance').finally(() => setMaintenance(shell.world, false))
})

type Paint = { largestPaintMs: number; blockedMs: number; shift: number; kilobytes: number }

/**
 * What Lighthouse's performance score is mostly made of: largest contentful paint, total blocking time, cumulative
 * layout shift.
 */
const WATCH_PAINT = `(() => {
  const seen = { largestPaintMs: 0, blockedMs: 0, shift: 0 }
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.largestPaintMs = entry.startTime }).observe({ type: 'largest-contentful-paint', buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) seen.blockedMs += Math.max(0, entry.duration - 50) }).observe({ type: 'longtask', buffered: true })
  new PerformanceObserver((list) => { for (const entry of list.getEntries()) if (!entry.hadRecentInput) seen.shift += entry.value }).observe({ type: 'layout-shift', buffered: true })
  globalThis.__paint = () => ({ ...seen, kilobytes: performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('.js')).reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0) / 1000 })
})()`

async function violations(page: Page, colourOnly: boolean): Promise<string[]> {
  return (await flaws(page, colourOnly ? 'colour' : 'all')).map((flaw) => `${page.url()}: ${flaw}`)
}

/** Elements that reach beyond the window without anything that scrolls around them. */
const OVERFLOWING = `(async () => {
  await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))
  const scrolls = (one) => one && one !== document.body && (/(auto|scroll|hidden|clip)/.test(getComputedStyle(one).overflowX) || scrolls(one.parentElement))
  const found = [...document.querySelectorAll('body *')].filter((one) => one.checkVisibility() && one.getBoundingClientRect().width > 0 && one.getBoundingClientRect().right > innerWidth + 1 && !one.closest('[aria-hidden=true], .sr-only') && !scrolls(one.parentElement))
  return found.slice(0, 3).map((one) => one.tagName.toLowerCase() + '.' + String(one.className).slice(0, 60) + ' ' + one.textContent.slice(0, 40))
})()`
