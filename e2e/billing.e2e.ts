import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Installation, startInstallation } from '@fairway/app'
import { account, auth, plans } from '@fairway/contract'
import type { Browser, Page } from 'playwright-core'
import { chromiumMissing, openChromium } from './chromium.ts'
import { pace } from './pace.ts'

const skip = chromiumMissing
const OPERATOR = {
  email: 'owner@example.com',
  password: 'Owner-1234',
  firstName: 'Olive',
  lastName: 'Owner',
  organizationName: 'Example',
}

const stack = new AsyncDisposableStack()
let world: Installation
let browser: Browser
let page: Page
/** Everything that the browser sent, to see where a card number went. */
const sent: { url: string; body: string }[] = []

before(async () => {
  if (skip) return
  world = stack.use(
    await startInstallation({ command: 'up', fromTemplate: true, words: ['--roles', 'database,api,worker'] }),
  )
  await world.api(auth.routes.register, OPERATOR)
  browser = await openChromium()
  stack.defer(() => browser.close())
  const context = await browser.newContext({
    baseURL: `http://localhost:${world.config.listen.port}`,
    viewport: { width: 1280, height: 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
  })
  page = await context.newPage()
  page.setDefaultTimeout(15_000 * pace())
  page.on('request', (request) => sent.push({ url: new URL(request.url()).pathname, body: request.postData() ?? '' }))
  await page.goto('/login')
  await page.getByLabel('E-mail').fill(OPERATOR.email)
  await page.getByRole('textbox', { name: 'Password' }).fill(OPERATOR.password)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByRole('button', { name: 'open account menu' }).waitFor()
})
after(() => stack.disposeAsync())

async function typeCard(number: string): Promise<void> {
  const element = page.frameLocator('iframe')
  await element.getByLabel('Card number').fill(number)
  await element.getByLabel('Expiry').fill('')
  await element.getByLabel('Expiry').pressSequentially('1234')
  await element.getByLabel('CVC').fill('123')
  await page.getByRole('button', { name: 'Save card' }).click()
}

test(
  'a declined card says why at the card, another one is taken, and its number went to the provider alone',
  { skip },
  async () => {
    await page.goto('/account/billing/payment')
    await page.getByRole('button', { name: 'Add card' }).click()
    for (const [label, value] of [
      ['First name', 'Olive'],
      ['Last name', 'Owner'],
      ['Address', '1 Road'],
      ['City', 'Taipei'],
    ] as const)
      await page.getByLabel(label, { exact: true }).fill(value)
    await page.getByRole('combobox', { name: 'Country or region' }).fill('Taiwan')
    await page.getByRole('option', { name: 'Taiwan' }).click()
    await typeCard('4000000000009995')
    await page.frameLocator('iframe').getByText('There is not enough money on the card. Use another one.').waitFor()
    await typeCard('4242424242424242')
    await page.getByText('•••• •••• •••• 4242').waitFor()
    const withNumber = sent.filter(({ body }) => /4242\s?4242\s?4242|4000\s?0000/.test(body)).map(({ url }) => url)
    assert.deepEqual([...new Set(withNumber)], ['/sandbox-pay/confirm/'])
  },
)

test(
  'an add-on is bought with what it costs shown before, its invoice opens, and the PDF is one',
  { skip },
  async () => {
    const { organizationId } = await world.api(account.routes.info, {})
    await page.goto('/account/billing/plan')
    await page.getByRole('button', { name: 'Add China DNS' }).click()
    await page.getByRole('button', { name: 'Add and pay' }).click()
    await page.getByText('There is not enough credit. Contact sales to have some granted.').waitFor()
    await world.api(plans.routes.grantCredit, { organization: organizationId, amountMinor: 20_000 })
    await page.getByRole('button', { name: 'Add and pay' }).click()
    await page.getByText('China DNS is on').waitFor()
    await page.goto('/account/billing')
    await page.getByRole('button', { name: /-000001$/ }).click()
    const href = await page.getByRole('link', { name: 'PDF, English' }).getAttribute('href')
    const pdf = await page.request.get(href ?? '')
    assert.deepEqual([pdf.status(), (await pdf.body()).subarray(0, 5).toString()], [200, '%PDF-'])
  },
)
