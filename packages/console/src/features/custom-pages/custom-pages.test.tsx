import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { page } from '../../testing/steering-answers.ts'

const LIST = '/wafmgmt/v2/custom-pages/'
const AT_SITE = '/wafmgmt/v2/sites/s1/custom-pages'
const PAGE = '/example.com/multi-cdn/custom-page'
const AT = '2026-11-21T10:00:00Z'
const ID = '3f8a61c0-d2b9-4e57-a1c6-f0b87d24e913'
const HTML = '<!doctype html>\n<p>::REQUEST_ID::</p>'
const custom = (change: object = {}) => ({
  id: ID,
  siteId: 's1',
  siteName: 'example.com',
  kind: 'errors',
  name: 'Sorry',
  sizeBytes: 1200,
  digest: 'a'.repeat(64),
  domains: [{ id: 'd1', name: 'www.example.com' }],
  createdAt: AT,
  modifiedAt: AT,
  ...change,
})
const detail = () => ({
  ...custom(),
  html: HTML,
  revisions: [
    { version: 5, author: 'Ada', createdAt: AT, digest: 'a'.repeat(64), sizeBytes: 1200, current: true },
    { version: 4, author: 'Ben', createdAt: AT, digest: 'b'.repeat(64), sizeBytes: 900, current: false },
  ],
})
const use = (change: object = {}) => ({
  domainId: '9b1f3b52-52b1-4b1e-8d2c-0b0f6d3f5a11',
  domain: 'www.example.com',
  errorsPageId: null,
  blockedPageId: null,
  rateLimitedPageId: null,
  challengePageId: null,
  captchaPageId: null,
  maintenancePageId: null,
  inMaintenance: false,
  cdns: [
    { name: 'Edge', shows: true },
    { name: 'Other', shows: false },
  ],
  ...change,
})
const world = {
  [`GET ${LIST}`]: () => page([custom()]),
  [`GET ${AT_SITE}/${ID}/`]: detail,
  [`GET ${AT_SITE}/uses/`]: () => ({ data: [use()] }),
  [`POST ${AT_SITE}/preview/`]: () => ({ html: '<p>filled in</p>', digest: 'c'.repeat(64), problems: [] }),
}
const user = accountOf({ permissions: ['ViewSite', 'EditSite'] })
const viewer = accountOf({ permissions: ['ViewSite'] })
const wait = { timeout: 10_000 }

test('pages are listed with the domains that show them', async () => {
  stubApi(world, user)
  openScreen(PAGE)
  expect(await screen.findByText('Sorry', {}, wait)).toBeDefined()
  expect(screen.getByText('www.example.com')).toBeDefined()
  expect(screen.getByText('1.2 kB')).toBeDefined()
})

test('a token that does not exist is told with its line, and nothing is sent until it is gone', async () => {
  const calls = stubApi({ ...world, [`POST ${AT_SITE}/`]: () => ({ data: custom(), meta: { version: 5 } }) }, user)
  openScreen(`${PAGE}?add=true`)
  const text = await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'HTML' }, wait)
  fireEvent.change(screen.getByRole('textbox', { name: /Name/ }), { target: { value: 'Sorry' } })
  fireEvent.change(text, { target: { value: '<p>one</p>\n  ::RAY_ID::' } })
  const found = await screen.findByRole('button', { name: /Line 2.*There is no token ::RAY_ID::/ })
  expect(screen.getByRole('button', { name: /Line 2.*::REQUEST_ID:: is missing/ })).toBeDefined()
  const dialog = screen.getByRole('dialog')
  expect(within(dialog).getByRole<HTMLButtonElement>('button', { name: 'Add page' }).disabled).toBe(true)
  fireEvent.click(found)
  expect(text.value.slice(text.selectionStart, text.selectionEnd)).toBe('::RAY_ID::')
  fireEvent.change(text, { target: { value: HTML } })
  await screen.findByText('Nothing to complain about')
  fireEvent.click(within(dialog).getByRole('button', { name: 'Add page' }))
  await waitFor(() =>
    expect(calls.find(({ path }) => path === `${AT_SITE}/`)?.body).toEqual({
      kind: 'errors',
      name: 'Sorry',
      html: HTML,
    }),
  )
})

test('the preview shows the served bytes in a frame that may run nothing', async () => {
  stubApi(world, user)
  openScreen(`${PAGE}?show=${ID}&part=preview`)
  const frame = await screen.findByTitle<HTMLIFrameElement>('Preview of the page', {}, wait)
  expect(frame.getAttribute('sandbox')).toBe('')
  expect(frame.getAttribute('srcdoc')).toBe('<p>filled in</p>')
  expect(screen.getByText('c'.repeat(12))).toBeDefined()
})

test('an earlier text is brought back by its digest', async () => {
  const calls = stubApi(
    { ...world, [`PATCH ${AT_SITE}/${ID}/`]: () => ({ data: custom(), meta: { version: 6 } }) },
    user,
  )
  openScreen(`${PAGE}?show=${ID}&part=history`)
  fireEvent.click(await screen.findByRole('button', { name: 'Bring it back' }, wait))
  await waitFor(() => expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ digest: 'b'.repeat(64) }))
})

test('a domain is put into maintenance with a word on what that does, and on the CDNs that do not take part', async () => {
  const calls = stubApi(
    {
      ...world,
      [`PUT /wafmgmt/v2/sites/s1/domains/${use().domainId}/custom-pages/`]: () => ({
        data: use({ inMaintenance: true }),
        meta: { version: 6 },
      }),
    },
    user,
  )
  openScreen(`${PAGE}?tab=domains&use=${use().domainId}`)
  fireEvent.click(await screen.findByRole('switch', { name: /^In maintenance/ }, wait))
  expect(await screen.findByText('www.example.com closes for its visitors')).toBeDefined()
  expect(screen.getByText(/Other answers by itself/)).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
      maintenancePageId: null,
      blockedPageId: null,
      inMaintenance: true,
    }),
  )
})

test('who may only look can change nothing', async () => {
  stubApi(world, viewer)
  openScreen(`${PAGE}?show=${ID}`)
  expect((await screen.findByRole<HTMLTextAreaElement>('textbox', { name: 'HTML' }, wait)).readOnly).toBe(true)
  expect(screen.queryByRole('button', { name: 'Remove page' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Add page' })).toBeNull()
})

test('a refusal of the server stays in the drawer', async () => {
  stubApi({ ...world, [`PATCH ${AT_SITE}/${ID}/`]: () => refusal(413, 26_912) }, user)
  openScreen(`${PAGE}?show=${ID}`)
  fireEvent.change(await screen.findByRole('textbox', { name: 'HTML' }, wait), { target: { value: `${HTML}more` } })
  const save = screen.getByRole<HTMLButtonElement>('button', { name: 'Save changes' })
  await waitFor(() => expect(save.disabled).toBe(false))
  fireEvent.click(save)
  expect(await screen.findByText(/larger than 1.5 MB/)).toBeDefined()
})
