import type { DemoFile } from '@fairway/app'
import type { Page } from 'playwright-core'

/** Signs in as the demo's owner, whatever the language, and waits for the console. */
export async function signIn(page: Page, { email, password }: Pick<DemoFile, 'email' | 'password'>): Promise<void> {
  await page.goto('/login')
  await page.locator('input[type=email]').fill(email)
  await page.locator('input[type=password]').fill(password)
  await page.locator('button[type=submit]').click()
  await page.waitForURL('**/home')
}
