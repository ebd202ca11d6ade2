import { analyticsDem, notifications } from '@fairway/contract'
import type { Notification, NotificationPreference } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const { list, markAllRead, markRead, preferences, setPreference, unreadCount } = notifications.routes
const { weeklyReport, setWeeklyReport } = analyticsDem.routes
const NOT_CHOSEN = { on: false, week: null, silent: false, sentAt: null }
const AT = '2026-11-21T10:00:00Z'
const newsOf = (change: Partial<Notification>): Notification => ({
  id: 'n1',
  type: 'cdn',
  level: 'critical',
  event: 'cdn-down',
  fields: { cdn: 'Polaris', evidence: '2 of 3 nodes' },
  siteId: null,
  siteName: null,
  link: '/home',
  change: null,
  createdAt: AT,
  isIncident: true,
  endedAt: null,
  read: false,
  ...change,
})
const page = (data: Notification[], total = data.length) => ({ data, meta: { total, page: 1, pageSize: 25 } })
const CENTER = '/account/information-center'

test('the bell says how many are unread, and opens the newest with the way to all of them', async () => {
  stubApi({ [`GET ${unreadCount.path}`]: () => ({ unreadCount: 2 }), [`GET ${list.path}`]: () => page([newsOf({})]) })
  openScreen('/example.com/home')
  fireEvent.click(await screen.findByRole('button', { name: 'Notifications, 2 unread' }))
  const panel = await screen.findByRole('dialog', { name: /^Notifications/ })
  expect(await within(panel).findByText('Polaris is down')).toBeTruthy()
  expect(within(panel).getByText('2 of 3 nodes')).toBeTruthy()
  expect(within(panel).getByRole('link', { name: 'Open the information center' }).getAttribute('href')).toBe(CENTER)
})

test('a count that cannot be known is none', async () => {
  stubApi({ [`GET ${unreadCount.path}`]: () => refusal(403, 403) })
  openScreen('/example.com/home')
  expect(await screen.findByRole('button', { name: 'Notifications' })).toBeTruthy()
})

test('a notification shows its cause, the change before it and its end, and is marked read', async () => {
  const change = {
    siteId: 's1',
    siteName: 'example.com',
    version: 7,
    title: 'Add A www',
    author: 'ada@example.com',
    at: AT,
  }
  const calls = stubApi({
    [`GET ${list.path}`]: () =>
      page([newsOf({ change }), newsOf({ id: 'n2', endedAt: '2026-11-21T10:05:00Z', read: true })]),
    [`GET ${unreadCount.path}`]: () => ({ unreadCount: 1 }),
    [`PUT ${markRead.path.replace('{id}', 'n1')}`]: () => ({ unreadCount: 0 }),
    [`POST ${markAllRead.path}`]: () => ({ unreadCount: 0 }),
  })
  openScreen(CENTER)
  const [open, over] = [
    (await screen.findByText('Polaris is down', { selector: 'a' })).closest('li'),
    screen.getByText('Polaris is back').closest('li'),
  ]
  expect(open && within(open).getByRole('link', { name: 'Version 7: Add A www' }).getAttribute('href')).toBe(
    '/example.com/dns/dns-records?history=true',
  )
  expect(over && within(over).getByText('Over')).toBeTruthy()
  // What was is not said as if it still were.
  expect(over && within(over).getByText('Before: Polaris is down')).toBeTruthy()
  expect(over && within(over).getByText(/Lasted 5 min/)).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Mark as read: Polaris is down' }))
  await waitFor(() =>
    expect(calls).toEqual([{ method: 'PUT', path: markRead.path.replace('{id}', 'n1'), body: { read: true } }]),
  )
})

test('all are marked read at once, in the demonstration too', async () => {
  const calls = stubApi(
    {
      [`GET ${list.path}`]: () => page([newsOf({})]),
      [`GET ${unreadCount.path}`]: () => ({ unreadCount: 1 }),
      [`POST ${markAllRead.path}`]: () => ({ unreadCount: 0 }),
    },
    accountOf({ sandboxMode: true }),
  )
  openScreen(CENTER)
  const button = (await screen.findByText('Mark all as read')).closest('button')
  await waitFor(() => expect(button?.disabled).toBe(false))
  if (button) fireEvent.click(button)
  await waitFor(() => expect(calls.map(({ path }) => path)).toEqual([markAllRead.path]))
})

test('filters are kept in the address, and a filter that leaves nothing says so and offers to clear it', async () => {
  stubApi({ [`GET ${list.path}`]: () => page([]) })
  const { router } = openScreen(`${CENTER}?type=ssl&state=open&level=nonsense`)
  expect(await screen.findByText('No notification matches')).toBeTruthy()
  expect(router.state.location.search).toMatchObject({ type: 'ssl', state: 'open' })
  fireEvent.click(screen.getByRole('button', { name: 'Clear filters' }))
  await waitFor(() => expect(router.state.location.search).toEqual({}))
  expect(await screen.findByText('Nothing has happened yet')).toBeTruthy()
})

test('a list that cannot be read says why and can be tried again', async () => {
  stubApi({ [`GET ${list.path}`]: () => refusal(403, 403) })
  openScreen(CENTER)
  expect(await screen.findByText('You do not have permission for this, or it no longer exists.')).toBeTruthy()
})

test('many are shown in pages', async () => {
  stubApi({ [`GET ${list.path}`]: () => page([newsOf({})], 60) })
  const { router } = openScreen(CENTER)
  expect(await screen.findByText('1 to 25 of 60')).toBeTruthy()
  fireEvent.click(screen.getByRole('button', { name: 'Older' }))
  await waitFor(() => expect(router.state.location.search).toEqual({ page: 2 }))
})

test('the weekly report is switched on for oneself, says what comes, and flips back when that fails', async () => {
  let fails = false
  const calls = stubApi({
    [`GET ${preferences.path}`]: () => ({ data: [] }),
    [`GET ${weeklyReport.path}`]: () => NOT_CHOSEN,
    [`PUT ${setWeeklyReport.path}`]: () => (fails ? refusal(500, 500) : { ...NOT_CHOSEN, on: true }),
  })
  openScreen(`${CENTER}?tab=preferences`)
  const choice = await screen.findByRole('switch', { name: /last week’s figures, to ada@example.com/ })
  fireEvent.click(choice)
  await screen.findByText('The first letter comes on Monday, after this week is over.')
  expect(calls.map(({ body }) => body)).toEqual([{ on: true }])
  fails = true
  fireEvent.click(choice)
  await waitFor(() => expect(screen.getByRole('alert')).toBeTruthy())
})

test('what comes where is chosen by type; webhooks only by those who may', async () => {
  const preference: NotificationPreference = { type: 'cdn', inApp: true, mail: 'warning', webhook: true }
  const calls = stubApi({
    [`GET ${weeklyReport.path}`]: () => NOT_CHOSEN,
    [`GET ${preferences.path}`]: () => ({ data: [preference] }),
    [`PUT ${setPreference.path.replace('{type}', 'cdn')}`]: () => ({ ...preference, inApp: false }),
  })
  openScreen(`${CENTER}?tab=preferences`)
  fireEvent.click(await screen.findByRole('switch', { name: 'CDN: In the console' }))
  await waitFor(() => expect(calls.map(({ body }) => body)).toEqual([{ inApp: false, mail: 'warning' }]))
  expect(screen.getByRole('switch', { name: 'CDN: Webhooks' }).hasAttribute('disabled')).toBe(true)
})
