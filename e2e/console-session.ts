import type { DemoFile } from '@fairway/app'
import type { Page } from 'playwright-core'

/** Goes on inside of the console, as a link does, and answers where that ended once the page is complete. */
export async function goOn(page: Page, path: string, timeout?: number): Promise<string> {
  await page.evaluate(
    `delete document.documentElement.dataset.page; history.pushState(null, '', ${JSON.stringify(path)})`,
  )
  await page.locator('html[data-page]').waitFor({ state: 'attached', ...(timeout === undefined ? {} : { timeout }) })
  return (await page.locator('html').getAttribute('data-page')) ?? ''
}

/** Signs in as the demo's owner, whatever the language, and waits for the console. */
export async function signIn(page: Page, { email, password }: Pick<DemoFile, 'email' | 'password'>): Promise<void> {
  await page.goto('/login')
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/home')
}

/** The first visitor of an empty installation becomes its owner, and lands where a site is added. */
export async function setUp(page: Page, link?: string): Promise<void> {
  await page.goto(link ?? '/')
  await page.waitForURL('**/setup*')
  for (const [label, text] of [
    ['First name', 'Olive'],
    ['Last name', 'Owner'],
    ['Organisation', 'Example'],
    ['E-mail', 'owner@example.com'],
  ] as const)
    await page.getByLabel(label).fill(text)
  await page.getByRole('textbox', { name: 'Password' }).fill('Owner-1234')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/add-site')
}
