import type { NodeState, SiteVersion } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { accountRead } from '../../shell/access/session.ts'
import { makeQueryClient } from '../../api/query-client.ts'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { renderPart } from '../../testing/render.tsx'
import { DeployState } from './deploy-state.tsx'
import { VersionHistory } from './version-history.tsx'
import { Notifications } from '@mantine/notifications'

const AT = '2026-11-21T10:00:00.000Z'
const PATH = '/spine/v2/sites/s1/versions/'
const node = (name: string, state: NodeState['state'], change: Partial<NodeState> = {}): NodeState => ({
  nodeId: name,
  name,
  role: 'dns',
  state,
  version: 4,
  reason: null,
  confirmedAt: state === 'live' ? '2026-11-21T10:00:00.120Z' : null,
  ...change,
})
const version = (change: Partial<SiteVersion> = {}): SiteVersion => ({
  number: 4,
  title: 'Change A www',
  author: 'Ada',
  source: 'console',
  createdAt: AT,
  changes: [],
  changeCount: change.changes?.length ?? 0,
  state: 'live',
  nodes: [],
  ...change,
})
const show = (site = { id: 's1', domainName: 'example.com', version: 4 }) => renderPart(<DeployState site={site} />)

describe('the state of a change', () => {
  test.each([
    [version({ nodes: [node('dns-1', 'live'), node('edge-1', 'live')] }), 'Live on 2 of 2 nodes', 'ok'],
    [
      version({ state: 'deploying', nodes: [node('dns-1', 'live'), node('edge-1', 'waiting')] }),
      /^Deploying · 1 of 2 nodes · started/,
      'info',
    ],
    [version({ nodes: [node('dns-1', 'live'), node('edge-1', 'away')] }), 'Live on 1 of 2 nodes', 'warn'],
    [
      version({ state: 'failed', nodes: [node('dns-1', 'live'), node('edge-1', 'failed', { reason: 'bad origin' })] }),
      'Refused by edge-1',
      'bad',
    ],
  ])('is what the nodes say: %#', async (answer, text, tone) => {
    stubApi({ [`GET ${PATH}4/`]: () => answer })
    show()
    expect((await screen.findByText(text)).getAttribute('data-tone')).toBe(tone)
  })

  test('is not green on the word of the version before', async () => {
    stubApi({ [`GET ${PATH}4/`]: () => version({ nodes: [node('dns-1', 'live')] }) })
    const { rerender } = show()
    await screen.findByText('Live on 1 of 1 node')
    rerender(<></>)
    show({ id: 's1', domainName: 'example.com', version: 5 })
    expect((await screen.findByText('Deploying')).getAttribute('data-tone')).toBe('info')
  })

  test('names each node, how long it took and why it refused', async () => {
    stubApi({
      [`GET ${PATH}4/`]: () =>
        version({
          state: 'failed',
          nodes: [node('dns-1', 'live'), node('edge-1', 'failed', { reason: 'bad origin' })],
        }),
    })
    show()
    fireEvent.click(await screen.findByText('Refused by edge-1'))
    expect(await screen.findByText('after 120 ms')).toBeDefined()
    expect(screen.getByText('bad origin')).toBeDefined()
  })
})

describe('the history', () => {
  const changed = version({
    changes: [
      {
        entity: 'dns-record',
        id: 'r1',
        label: 'A www',
        before: { id: 'r1', value: '198.41.0.4', ttl_seconds: null, modified_at: AT },
        after: { id: 'r1', value: '198.41.0.5', ttl_seconds: 300, modified_at: '2026-11-22T00:00:00Z' },
      },
    ],
  })
  const list = (rows: SiteVersion[]) => ({
    [`GET ${PATH}`]: () => ({ data: rows, meta: { total: rows.length, page: 1, pageSize: 30 } }),
  })
  const open = () => {
    const queryClient = makeQueryClient(() => {})
    queryClient.setQueryData(accountRead.queryKey, accountOf())
    renderPart(
      <>
        <VersionHistory site={{ id: 's1', domainName: 'example.com', version: 4 }} opened onClose={() => {}} />
        <Notifications />
      </>,
      queryClient,
    )
  }

  test('says in words what changed, without the bookkeeping', async () => {
    stubApi(list([changed]))
    open()
    fireEvent.click(await screen.findByText('Changed record A www'))
    const dialog = screen.getByRole('dialog')
    expect(
      within(dialog)
        .getAllByRole('term')
        .map((term) => term.textContent),
    ).toEqual(['Value', 'TTL'])
    expect(
      within(dialog)
        .getAllByRole('definition')
        .map(({ textContent }) => textContent),
    ).toEqual(['Before: 198.41.0.4', 'After: 198.41.0.5', 'Before: Auto', 'After: 5 min'])
  })

  test('reverts, and the revert can be undone', async () => {
    const changes = stubApi({
      ...list([changed]),
      [`POST ${PATH}4/revert/`]: () => ({ data: { reverted: 4 }, meta: { version: 5 } }),
      [`POST ${PATH}5/revert/`]: () => ({ data: { reverted: 5 }, meta: { version: 6 } }),
    })
    open()
    fireEvent.click(await screen.findByText('Changed record A www'))
    fireEvent.click(screen.getByRole('button', { name: 'Revert this version' }))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(changes.map(({ path }) => path)).toEqual([`${PATH}4/revert/`, `${PATH}5/revert/`]))
  })

  test('says why a revert is refused', async () => {
    stubApi({ ...list([changed]), [`POST ${PATH}4/revert/`]: () => refusal(409, 409) })
    open()
    fireEvent.click(await screen.findByText('Changed record A www'))
    fireEvent.click(screen.getByRole('button', { name: 'Revert this version' }))
    expect(await screen.findByText(/changed meanwhile/)).toBeDefined()
  })

  test('any two versions are compared', async () => {
    stubApi({
      ...list([]),
      'GET /spine/v2/sites/s1/compare/': (_, query) => ({
        from: Number(query.get('from')),
        to: Number(query.get('to')),
        changes: query.get('from') === '1' ? changed.changes : [],
      }),
    })
    open()
    fireEvent.click(await screen.findByRole('button', { name: 'Compare versions' }))
    expect(await screen.findByText('Nothing differs.')).toBeDefined()
    fireEvent.change(screen.getByRole('textbox', { name: 'From version' }), { target: { value: '1' } })
    expect(await screen.findByText('1 difference')).toBeDefined()
    expect(screen.getByText('Changed record A www')).toBeDefined()
  })

  test('of one record: a version that did more says how much its revert takes back', async () => {
    stubApi(list([{ ...changed, changeCount: 12 }]))
    renderPart(
      <VersionHistory
        site={{ id: 's1', domainName: 'example.com', version: 4 }}
        touches={{ id: 'r1', label: 'www A' }}
        opened
        onClose={() => {}}
      />,
    )
    fireEvent.click(await screen.findByText('Changed record A www'))
    expect(screen.getByText('History of www A')).toBeDefined()
    expect(await screen.findByRole('button', { name: 'Revert the whole version (12 changes)' })).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Compare versions' })).toBeNull()
  })

  test('what the system did cannot be taken back by hand', async () => {
    stubApi(list([{ ...changed, source: 'system' }]))
    open()
    fireEvent.click(await screen.findByText('Changed record A www'))
    expect(screen.queryByRole('button', { name: 'Revert this version' })).toBeNull()
  })
})

test('the way back is offered on every page that says how far a change is', async () => {
  stubApi({
    [`GET ${PATH}4/`]: () => version({ nodes: [node('dns-1', 'live')] }),
    [`GET ${PATH}`]: () => ({ data: [version()], meta: { total: 1, page: 1, pageSize: 30 } }),
  })
  show()
  fireEvent.click(await screen.findByText('Live on 1 of 1 node'))
  fireEvent.click(await screen.findByRole('button', { name: 'Version history' }))
  expect(await screen.findByText('Change A www')).toBeDefined()
})
