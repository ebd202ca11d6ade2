import { type AuditDetail, auditLog, versions } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const { list, detail, facets } = auditLog.routes
const me = accountOf({ permissions: ['ViewSite', 'EditSite', 'ViewAuditLog'] })
const entryOf = (change: Partial<AuditDetail> = {}): AuditDetail => ({
  id: '7',
  at: '2026-11-21T10:00:00.000Z',
  action: 'dnsRecord.update',
  user: 'ada@example.com',
  impostor: null,
  ip: '192.0.2.7',
  source: 'console',
  siteId: 's1',
  siteName: 'example.com',
  domain: 'www.example.com',
  version: 3,
  changes: [
    { entity: 'dns-record', id: 'r1', label: 'A www', before: { value: '198.41.0.4' }, after: { value: '198.41.0.5' } },
  ],
  changeCount: 1,
  hash: 'a'.repeat(64),
  hashBefore: 'b'.repeat(64),
  revertible: true,
  ...change,
})

type Opened = {
  entries?: AuditDetail[]
  total?: number
  path?: string
  user?: typeof me
  answers?: Parameters<typeof stubApi>[0]
}

function open({ entries = [entryOf()], total, path = '/account/audit-log', user = me, answers = {} }: Opened = {}) {
  const changes = stubApi(
    {
      [`GET ${list.path}`]: () => ({ data: entries, meta: { total: total ?? entries.length, page: 1, pageSize: 50 } }),
      [`GET ${facets.path}`]: () => ({
        users: ['ada@example.com', 'bob@example.com'],
        actions: ['dnsRecord.update', 'site.create'],
      }),
      [`GET ${detail.path.replace('{number}', '7')}`]: () => entries[0],
      ...answers,
    },
    user,
  )
  const asked: URLSearchParams[] = []
  const answer = globalThis.fetch
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    if (url.startsWith(`${list.path}?`)) asked.push(new URLSearchParams(url.split('?')[1]))
    return answer(url, init)
  })
  return { changes, asked, ...openScreen(path) }
}

describe('the log', () => {
  test('says who did what, where, and from where; whoever looked on is named with whom', async () => {
    open({ entries: [entryOf({ impostor: 'op@example.com' })] })
    const row = within((await screen.findByText('Changed a DNS record')).closest('tr') ?? document.body)
    expect(row.getByText('op@example.com for ada@example.com')).toBeDefined()
    expect(row.getByText('A www')).toBeDefined()
    expect(row.getByText('www.example.com')).toBeDefined()
    expect(row.getByText('192.0.2.7')).toBeDefined()
  })

  test('shows the last seven days first, newest on top', async () => {
    const { asked } = open()
    await screen.findByText('Changed a DNS record')
    expect(Date.now() - Date.parse(asked[0]?.get('from') ?? '')).toBeGreaterThanOrEqual(7 * 86_400_000)
    expect(asked[0]?.get('ordering')).toBe('-at')
  })

  test('an action without words is shown as it is', async () => {
    open({ entries: [entryOf({ action: 'something.new', changes: [], changeCount: 0 })] })
    expect(await screen.findByText('something.new')).toBeDefined()
  })

  test('is filtered by what the address says, and cleared at once', async () => {
    const { asked } = open({
      entries: [],
      path: '/account/audit-log?who=bob%40example.com&action=site.create&source=api&range=all',
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(asked).toHaveLength(2))
    expect(asked.map((one) => [one.get('who'), one.get('action'), one.get('source'), one.get('from')])).toEqual([
      ['bob@example.com', 'site.create', 'api', null],
      [null, null, null, null],
    ])
  })

  test('has pages, and a filter goes back to the first', async () => {
    const { asked, router } = open({ total: 120, path: '/account/audit-log?page=3' })
    expect(await screen.findByText('101–120 of 120')).toBeDefined()
    fireEvent.click(within(await screen.findByRole('search')).getByRole('button', { name: 'User' }))
    fireEvent.click(await screen.findByRole('menuitemcheckbox', { name: 'bob@example.com' }))
    await waitFor(() => expect(asked.at(-1)?.get('who')).toBe('bob@example.com'))
    expect(asked.at(-1)?.get('page')).toBe('1')
    expect(router.state.location.search).toEqual({ who: 'bob@example.com' })
  })

  test('is saved as a file with the same filters', async () => {
    open({ path: '/account/audit-log?range=all&action=site.create' })
    expect((await screen.findByRole('link', { name: 'Export CSV' })).getAttribute('href')).toBe(
      '/audit/v2/log_export/?action=site.create',
    )
  })
})

describe('an entry', () => {
  test('opens with before and after and its proof', async () => {
    open({ path: '/account/audit-log?entry=7' })
    const dialog = within(await screen.findByRole('dialog'))
    expect(
      (await dialog.findAllByRole('definition'))
        .map(({ textContent }) => textContent)
        .filter((text) => /^(Before|After)/.test(text ?? '')),
    ).toEqual(['Before: 198.41.0.4', 'After: 198.41.0.5'])
    expect(dialog.getByText('a'.repeat(64))).toBeDefined()
  })

  test('is taken back as a version', async () => {
    const revert = versions.routes.revert.path.replace('{site}', 's1').replace('{number}', '3')
    const { changes } = open({
      path: '/account/audit-log?entry=7',
      answers: { [`POST ${revert}`]: () => ({ data: { reverted: 3 }, meta: { version: 4 } }) },
    })
    fireEvent.click(await screen.findByRole('button', { name: 'Revert this version' }))
    await waitFor(() => expect(changes.map(({ path }) => path)).toEqual([revert]))
  })

  test('has no way back where there is none, or for who may not', async () => {
    open({ path: '/account/audit-log?entry=7', entries: [entryOf({ revertible: false })] })
    await screen.findByText('a'.repeat(64))
    expect(screen.queryByRole('button', { name: 'Revert this version' })).toBeNull()
  })
})
