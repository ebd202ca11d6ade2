import crypto from 'node:crypto'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { chromium } from 'playwright-core'

const CHROMIUM = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/google-chrome'].find((file) =>
  fs.existsSync(file),
)

/** Why HTTP/3 cannot be tried on this machine; false where it can. */
export const http3Untried = !CHROMIUM
  ? 'no Chromium is installed'
  : ['/usr/bin', '/usr/sbin', '/usr/local/bin', ...(process.env['PATH'] ?? '').split(path.delimiter)].some((folder) =>
        fs.existsSync(path.join(folder, 'caddy')),
      )
    ? false
    : 'Caddy is not installed'

export type Seen = { url: string; status: number; protocol: string; headers: Record<string, string> }
export type Http3Visitor = AsyncDisposable & {
  /** Goes to a page and says what came, each with its protocol. @throws when the browser cannot get it */
  visit(
    url: string,
    options?: { script?: string },
  ): Promise<{ seen: Seen[]; hints: string[]; text: string; said: unknown }>
}

/**
 * A browser that takes these certificates without looking who made them. `forced` are asked over HTTP/3 from the first
 * request on; others when they have offered it.
 */
export async function http3Visitor(
  at: string,
  { certificates, forced = [] }: { certificates: string[]; forced?: string[] },
): Promise<Http3Visitor> {
  const profile = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-http3-visitor-'))
  const keys = certificates.map((pem) =>
    crypto
      .createHash('sha256')
      .update(new crypto.X509Certificate(pem).publicKey.export({ type: 'spki', format: 'der' }))
      .digest('base64'),
  )
  // The list of keys counts with a folder of one's own only.
  const browser = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM ?? '',
    args: [
      '--no-sandbox',
      '--enable-quic',
      `--host-resolver-rules=MAP *.test ${at}`,
      `--ignore-certificate-errors-spki-list=${keys.join(',')}`,
      ...(forced.length > 0 ? [`--origin-to-force-quic-on=${forced.join(',')}`] : []),
    ],
  })
  return {
    async visit(url, { script } = {}) {
      const page = await browser.newPage()
      const tools = await browser.newCDPSession(page)
      const [seen, hints]: [Seen[], string[]] = [[], []]
      await tools.send('Network.enable')
      tools.on('Network.responseReceived', ({ response }) =>
        seen.push({
          url: response.url,
          status: response.status,
          protocol: response.protocol ?? '',
          headers: Object.fromEntries(
            Object.entries(response.headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
          ),
        }),
      )
      tools.on('Network.responseReceivedEarlyHints', ({ headers }) =>
        hints.push(
          ...Object.entries(headers).flatMap(([name, value]) => (name.toLowerCase() === 'link' ? [String(value)] : [])),
        ),
      )
      try {
        await page.goto(url, { timeout: 30_000 })
        const said: unknown = script === undefined ? null : await page.evaluate(script)
        return { seen, hints, text: await page.content(), said }
      } finally {
        await page.close()
      }
    },
    async [Symbol.asyncDispose]() {
      await browser.close()
      fs.rmSync(profile, { recursive: true, force: true })
    },
  }
}
