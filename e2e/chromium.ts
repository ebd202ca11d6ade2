import fs from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

/** The browser without a window first: the whole one spends half as much again on windows that nobody sees. */
export const CHROMIUM = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((file) => fs.existsSync(file))

/** Why tests in a browser are skipped on this machine; false where there is one. */
export const chromiumMissing = CHROMIUM ? false : 'no Chromium is installed'

/** The machine's Chromium without a window; the caller closes it. */
export function openChromium(...args: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: CHROMIUM ?? '', args: ['--no-sandbox', ...args] })
}
