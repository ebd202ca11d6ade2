import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { after, before, test } from 'node:test'
import { type Installation, startInstallation } from '@fairway/app'
import { account, auth, organizations, partners, sites } from '@fairway/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { chromiumMissing, openChromium } from './chromium.ts'
import { goOn } from './console-session.ts'
import { pace } from './pace.ts'
import { show } from './screens.ts'

const skip = chromiumMissing
const HOST = 'console.nimbus.test'
const PERSON = {
  email: 'ann@nimbus.test',
  password: 'Correct-Horse-9',
  firstName: 'Ann',
  lastName: 'Example',
  organizationName: 'Nimbus Shop',
}
const LOGO = Buffer.from(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 22"><rect width="60" height="22" fill="#b4004e"/></svg>',
).toString('base64')

const stack = new AsyncDisposableStack()
let world: Installation
let browser: Browser
let context: BrowserContext
before(async () => {
  if (skip) return
  // A service domain of no brand, as an installation with partners has.
  world = stack.use(
    await startInstallation({
      fromTemplate: true,
      command: 'up',
      words: ['--roles', 'database,api,worker'],
      settings: { FAIRWAY_SERVICE_DOMAIN: 'dns-cloud.test' },
    }),
  )
  await world.api(auth.routes.register, PERSON)
  const partner = await world.api(partners.routes.create, {
    companyName: 'Nimbus CDN',
    hostName: HOST,
    brandColor: '#b4004e',
    contactEmail: 'help@nimbus.test',
  })
  await world.api(partners.routes.upload, { partner: partner.id, kind: 'logoWord', data: LOGO })
  const { organizationId } = await world.api(account.routes.info, {})
  await world.api(organizations.routes.manage, { organization: organizationId, partnerId: partner.id })
  await world.api(sites.routes.create, { domainName: 'shop.example' })
  const port = new URL(world.url).port
  browser = await openChromium(`--host-resolver-rules=MAP ${HOST} 127.0.0.1`)
  stack.defer(() => browser.close())
  context = await browser.newContext({
    baseURL: `http://${HOST}:${port}`,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(15_000 * pace())
})
after(() => stack.disposeAsync())

/**
 * Every path that the console has, read from the declarations of its routes: a new screen is walked over without
 * anybody thinking of it.
 */
function consolePaths(): string[] {
  const folder = path.join(import.meta.dirname, '../packages/console/src')
  const declarations = fs
    .globSync('**/{route,layout-routes}.ts*', { cwd: folder })
    .flatMap((file) => [
      ...fs
        .readFileSync(path.join(folder, file), 'utf8')
        .matchAll(/getParentRoute: \(\) => (\w+),\s*path: (?:'([^']+)'|`([^`]+)`)/g),
    ])
  return declarations.flatMap(([, parent, plain]) =>
    plain === undefined
      ? []
      : parent === 'scopeRoute'
        ? [`/$site/${plain}`]
        : [plain.startsWith('/') ? plain : `/${plain}`],
  )
}

const VALUES: Record<string, string> = {
  $site: 'shop.example',
  $category: 'multi-cdn',
  $childCategory: 'cdn-management',
  $type: 'invoice',
  $strategy: 'x',
  $rule: 'x',
  $id: 'x',
}
const filled = (template: string) =>
  template
    .split('/')
    .filter((part) => !part.startsWith('{-'))
    .map((part) => (part.startsWith('$') ? (VALUES[part] ?? 'x') : part))
    .join('/')

/** What of the installation's own brand is in the page: what is read, heard, loaded or linked. */
async function tracesIn(page: Page): Promise<string[]> {
  const html = `${await page.title()}\n${await page.content()}`
  return [...html.matchAll(/.{0,60}fairway.{0,60}/gi)].map(([text]) => text)
}

test('the first bytes of the page already carry the partner: title, mark, colour', { skip }, async () => {
  const page = await context.newPage()
  const html = (await (await page.goto('/login'))?.text()) ?? ''
  assert.match(html, /<title>Nimbus CDN<\/title>/)
  assert.match(html, /<html style="--brand: #b4004e; --brand-ink: #ffffff"/)
  assert.match(html, /<link rel="icon" href="data:image\/svg\+xml,/)
  assert.ok(!/fairway/i.test(html), html)
})

test("no screen shows a trace of the installation's own brand, before and after signing in", { skip }, async () => {
  const paths = [...new Set(consolePaths().map(filled))].filter(
    (one) => !one.startsWith('/operator') && !one.startsWith('/loginas'),
  )
  assert.ok(paths.length > 25, paths.join(' '))
  const page = await context.newPage()
  const found: Record<string, string[]> = {}
  /** Answers the paths that showed their own page. */
  const walk = async (kind: string, all: string[]): Promise<Set<string>> => {
    const stayed = new Set<string>()
    for (const [at, one] of all.entries()) {
      await show(page, { name: one, path: one }, at === 0 ? undefined : (to) => goOn(page, to))
      const traces = await tracesIn(page)
      if (traces.length) found[`${kind} ${one}`] = traces
      if (new URL(page.url()).pathname === one) stayed.add(one)
    }
    return stayed
  }
  const seen = await walk(
    'visitor',
    paths.filter((one) => !one.startsWith('/shop.example') && !one.startsWith('/account')),
  )
  await page.goto('/login')
  await page.locator('input[type=email]').fill(PERSON.email)
  await page.locator('input[type=password]').fill(PERSON.password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL((url) => !url.pathname.startsWith('/login'))
  await walk(
    'user',
    paths.filter((one) => !seen.has(one)),
  )
  assert.deepEqual(found, {})
  // The walk was one through pages of the partner, not through nothing.
  await page.goto('/account/user-profile')
  await page.locator('header img[alt="Nimbus CDN"]').first().waitFor()
  assert.match(await page.title(), /Nimbus CDN$/)
  assert.equal(await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--brand")'), '#b4004e')
})

test("when the partner's settings cannot be had, the console works without a name", { skip }, async () => {
  const page = await context.newPage()
  await page.route(
    (url) => url.pathname === '/partner/v2/info/',
    (route) => route.abort(),
  )
  // The same as an index document without the settings.
  await page.addInitScript(
    `const found = Document.prototype.getElementById; Document.prototype.getElementById = function (id) { return id === 'partner' ? null : found.call(this, id) }`,
  )
  await page.context().clearCookies()
  await page.goto('/login')
  await page.locator('input[type=password]').waitFor()
  assert.deepEqual(await tracesIn(page), [])
})
