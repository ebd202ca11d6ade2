import fs from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((file) => fs.existsSync(file))

/** Why tests in a browser are skipped on this machine; false where there is one. */
export const chromiumMissing = EXECUTABLE ? false : 'no Chromium is installed'

/** The machine's Chromium without a window; the caller closes it. */
export function openChromium(...args: string[]): Promise<Browser> {
  return chromium.launch({ executablePath: EXECUTABLE ?? '', args: ['--no-sandbox', ...args] })
}
