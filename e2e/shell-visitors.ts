import assert from 'node:assert/strict'
import { type Installation, startInstallation } from '@fairway/app'
import { FEATURES } from '@fairway/contract'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { openChromium } from './chromium.ts'
import { pace } from './pace.ts'
import { type Kind, PASSWORD, type Person, loginAsLink, makePeople } from './shell-people.ts'

/** Several visitors at once: most of a page's time is waiting. */
export const AT_ONCE = 3

/** An installation with people of every kind, and a browser for them. */
export type Shell = AsyncDisposable & {
  world: Installation
  people: Record<Kind, Person>
  /**
   * A browser of their own, signed in, with the console loaded; with a pseudo language in place of English when asked.
   */
  visit(kind: Kind, isPseudo?: boolean): Promise<Visitor>
}

export type Visitor = AsyncDisposable & { context: BrowserContext; page: Page; complaints: string[] }

export async function openShell(): Promise<Shell> {
  await using stack = new AsyncDisposableStack()
  const world = stack.use(
    await startInstallation({ command: 'up', fromTemplate: true, words: ['--roles', 'database,api,worker'] }),
  )
  const people = await makePeople(world)
  const browser = await openChromium()
  stack.defer(() => browser.close())
  const kept = stack.move()
  return {
    world,
    people,
    visit: (kind, isPseudo = false) => visit({ world, people }, browser, kind, isPseudo),
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  }
}

async function visit(
  { world, people }: Pick<Shell, 'world' | 'people'>,
  browser: Browser,
  kind: Kind,
  isPseudo: boolean,
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: world.url,
    viewport: { width: 1440, height: 900 },
    locale: 'en-US',
    colorScheme: 'light',
    reducedMotion: 'reduce',
  })
  if (isPseudo) await context.addInitScript(`localStorage.setItem('fairway.pseudo', '1')`)
  if (kind !== 'sandbox') await context.addInitScript(`sessionStorage.setItem('fairway.sandboxSeen', '1')`)
  const page = await context.newPage()
  page.setDefaultTimeout(10_000 * pace())
  const complaints: string[] = []
  page.on(
    'console',
    (message) => ['error', 'warning'].includes(message.type()) && complaints.push(`${page.url()}: ${message.text()}`),
  )
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`))
  if (kind === 'loginAs') {
    await page.goto(await loginAsLink(world))
    await page.getByText('is signed in as').waitFor()
  } else if (kind !== 'anonymous') {
    if (kind === 'unverified') await signInUnverified(context, people)
    else await post(context, people[kind].email)
  }
  if (kind !== 'loginAs') await page.goto('/docs/errors')
  await page.locator('html[data-page]').waitFor({ state: 'attached' })
  return { context, page, complaints, [Symbol.asyncDispose]: () => context.close() }
}

async function post(context: BrowserContext, email: string): Promise<void> {
  const answer = await context.request.post(FEATURES.auth.routes.login.path, {
    data: { email, password: PASSWORD, remember: false },
  })
  assert.equal(answer.status(), 200, await answer.text())
}

/** Who has not verified the address gets no session by signing in; this one has lost the proof since. */
async function signInUnverified(context: BrowserContext, people: Shell['people']): Promise<void> {
  const { token } = people.unverified
  assert.ok(token)
  await post(context, people.owner.email)
  const session = (await context.cookies()).find(({ httpOnly }) => httpOnly)
  assert.ok(session)
  await context.addCookies([{ ...session, value: token }])
}
