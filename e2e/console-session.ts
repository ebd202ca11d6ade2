import type { DemoFile } from '@fairway/app'
import type { Page } from 'playwright-core'

/** Goes on inside of the console, as a link does, and answers where that ended once the page is complete. */
export async function goOn(page: Page, path: string, timeout?: number): Promise<string> {
  await page.evaluate(`delete document.documentElement.dataset.page; history.pushState(null, '', ${JSON.stringify(path)})`)
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
