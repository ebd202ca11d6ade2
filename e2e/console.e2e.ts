import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { DemoFile } from '@fairway/app'
import { FEATURES } from '@fairway/contract'
import type { Browser, Page } from 'playwright-core'
import { flaws } from './axe.ts'
import { chromiumMissing, openChromium } from './chromium.ts'
import { signIn } from './console-session.ts'
import { pace } from './pace.ts'
import { until } from './until.ts'
import { type World, startDemoWorld } from './world.ts'

const skip = chromiumMissing

const stack = new AsyncDisposableStack()
let world: World & { demo: DemoFile }
let browser: Browser
let page: Page
/** What the browser complained of, by page. */
const complaints: string[] = []

before(async () => {
  if (skip) return
  world = stack.use(await startDemoWorld())
  browser = await openChromium()
  stack.defer(() => browser.close())
  const context = await browser.newContext({
    baseURL: world.url,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  page.setDefaultTimeout(15_000 * pace())
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && complaints.push(`${page.url()}: ${message.text()}`),
  )
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
})
after(() => stack.disposeAsync())

test('a wrong password is refused in words; the right one leads to Home with figures that live', { skip }, async () => {
  await page.goto('/')
  await page.getByLabel('E-mail').fill(world.demo.email)
  await page.getByRole('textbox', { name: 'Password' }).fill('Wrong-1234')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('alert').waitFor()
  // The browser itself reports the refusal.
  assert.match(complaints.splice(0).join(), /^[^,]*401[^,]*$/)
  await signIn(page, world.demo)
  await page.goto(at('www', 'home'))
  const answers = page.getByText('DNS answers per second').locator('xpath=..')
  await until('live figures', async () => /[1-9]/.test(await answers.innerText()), 30_000 * pace(), 200)
  await page.getByRole('img', { name: 'DNS answers by country and CDN' }).waitFor()
})

test('a CDN is attached and comes into operation before one’s eyes', { skip }, async () => {
  await page.goto(at('live', 'multi-cdn/cdn-management'))
  await page.getByRole('button', { name: 'Install CDN' }).click()
  await page.getByRole('button', { name: 'Install Polaris' }).click()
  const row = page.getByRole('row').filter({ hasText: 'Polaris' })
  // Its state, and beside it its health.
  await row.getByText('Operational').first().waitFor()
  await page.getByRole('button', { name: /^Live on \d of \d/ }).waitFor()
})

test('a strategy is written in words, tried out before it is saved, and live afterwards', { skip }, async () => {
  await page.goto(at('live', 'dem/routing-strategies'))
  await page.getByRole('link', { name: 'Add strategy' }).click()
  await page.getByLabel('Name', { exact: true }).fill('Germany to Polaris')
  await page.getByText('Anywhere').click()
  await page.getByPlaceholder('Search places').fill('Germany')
  await page.getByRole('treeitem', { name: 'Germany' }).click()
  await page.keyboard.press('Escape')
  await page.getByRole('radiogroup', { name: 'How a CDN is chosen' }).getByText('Always use').click()
  for (const other of ['Swiftlane', 'Tidewater']) await page.getByRole('button', { name: `Leave out ${other}` }).click()
  await page.getByText('Visitors in Germany').waitFor()
  await page.getByText(/would move/).waitFor()
  await page.getByRole('button', { name: 'Add strategy' }).click()
  await page.waitForURL('**/dem/routing-strategies')
  await page.getByRole('switch', { name: 'Strategy Germany to Polaris' }).waitFor()
  await page.getByRole('button', { name: /^Live on \d of \d/ }).waitFor()
})

test('a simulated visitor gets what the strategy says, with the reasons', { skip }, async () => {
  await page.getByLabel('Address of a visitor').fill('80.147.0.1')
  await page.getByRole('button', { name: 'Simulate' }).click()
  const panel = page.getByRole('dialog', { name: 'Why this CDN?' })
  await panel.getByText('Decided by strategy 2, “Germany to Polaris”').waitFor()
  await panel.getByText('Munich, Germany').waitFor()
  await page.keyboard.press('Escape')
  const { name } = await domainOf('live')
  const explained = await world.api(FEATURES.routingStrategies.routes.why, { name, client: '80.147.0.1' })
  assert.deepEqual(explained.decision.shares, [{ cdnId: 'polaris', percent: 100 }])
})

test(
  'a CDN killed on Game day: health, map and events show it on Home, in light and dark; well again, the event is over',
  { skip },
  async () => {
    await page.goto('/game-day')
    const fault = page.getByRole('radiogroup', { name: 'Fault of Tidewater' })
    await fault.getByText('Down').click()
    await page.getByText('Probes see it down').first().waitFor()
    await page.goto(at('www', 'home'))
    const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Tidewater' }) })
    const event = page
      .getByRole('listitem')
      .filter({ hasText: 'Tidewater stopped answering; its visitors were sent elsewhere' })
      .filter({ hasText: 'failed' })
      .first()
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await card.getByText(/^Down since/).waitFor()
      await event.getByText('Ongoing').waitFor()
      await accessible('Home with a CDN down', colorScheme)
    }
    await page.getByRole('button', { name: 'Show as table' }).first().click()
    const shares = page.getByRole('table', { name: 'DNS answers by country and CDN' })
    await until(
      'nobody is sent to Tidewater any more',
      async () => {
        const [head = [], ...rows] = await cells(shares)
        const column = head.indexOf('Tidewater')
        return rows.length > 0 && rows.every((row) => column < 0 || ['', '0', '—'].includes(row[column] ?? ''))
      },
      60_000 * pace(),
      500,
    )
    await page.goto('/game-day')
    await fault.getByText('Up', { exact: true }).click()
    await page.goto(at('www', 'home'))
    await card
      .getByText(/^(Operational|Degraded|Coming back)/)
      .first()
      .waitFor()
    await event.getByText(/^lasted/).waitFor()
  },
)

test('signed out, the console is closed and the browser had nothing to complain of', { skip }, async () => {
  await page.goto(at('www', 'home'))
  await page.getByRole('button', { name: 'open account menu' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.waitForURL('**/login*')
  await page.goto(at('www', 'home'))
  await page.waitForURL('**/login?next=*')
  await accessible('Sign in', 'light')
  assert.deepEqual(complaints, [])
})

const at = (label: string, path: string): string => `/${world.demo.site}/${label}.${world.demo.site}/${path}`

async function domainOf(label: string): Promise<{ name: string }> {
  const site = (await world.api(FEATURES.sites.routes.list, {})).data[0]?.id ?? ''
  const found = (await world.api(FEATURES.domains.routes.list, { site, page_size: -1 })).data.find(
    ({ name }) => name === `${label}.${world.demo.site}`,
  )
  assert.ok(found)
  return found
}

async function cells(table: ReturnType<Page['getByRole']>): Promise<string[][]> {
  const rows = await table.getByRole('row').all()
  return Promise.all(rows.map(async (row) => (await row.locator('th, td').allInnerTexts()).map((text) => text.trim())))
}

async function accessible(what: string, scheme: string): Promise<void> {
  assert.deepEqual(
    (await flaws(page, 'all')).map((flaw) => `${what}, ${scheme}: ${flaw}`),
    [],
  )
}
