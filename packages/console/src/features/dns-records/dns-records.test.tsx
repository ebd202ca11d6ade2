import type { DnsRecord } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { accountOf, recordOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'

const RRSETS = '/mdns/v2/zones/s1/rrsets/'
const PAGE = '/example.com/dns/dns-records'
const records = [
  recordOf({ id: 'r1', name: '@', multiCdn: true }),
  recordOf({ id: 'r2', type: 'CNAME', name: 'img', value: 'origin.example.net' }),
  recordOf({ id: 'r3', type: 'TXT', name: '_dmarc', value: 'v=DMARC1' }),
]
const list = (rows: DnsRecord[] = records) => ({
  [`GET ${RRSETS}`]: () => ({ data: rows, meta: { total: rows.length, page: 1, pageSize: -1 } }),
})

test('the table shows names, values and a switch only where steering can work', async () => {
  stubApi(list())
  openScreen(PAGE)
  const table = await screen.findByRole('table', { name: 'DNS records of example.com' })
  expect(within(table).getAllByRole('row')).toHaveLength(4)
  expect(within(table).getByText('origin.example.net')).toBeDefined()
  expect(
    within(table)
      .getAllByRole('switch')
      .map((one) => one.getAttribute('aria-label')),
  ).toEqual(['Multi-CDN for @ A', 'Multi-CDN for img CNAME'])
  expect(await screen.findByText('Live on 1 of 1 node')).toBeDefined()
})

/** The site whose records are shown, with so many of them. */
const siteOf = (recordCount: number) => ({
  id: 's1',
  domainName: 'example.com',
  zoneStatus: 1,
  dnsState: 'verified',
  nameservers: { global: [], china: [] },
  claim: { state: 'proven', since: '2026-11-21T10:00:00Z', by: 'delegation' },
  domainCount: 0,
  recordCount,
  version: 3,
  deployState: 'live',
  createdAt: '2026-11-21T10:00:00Z',
})

test('of very many records the first are shown, and how many there are, before the others are asked for', async () => {
  const many = Array.from({ length: 600 }, (_, index) => recordOf({ id: `m${index}`, name: `h${index}` }))
  const rest = Promise.withResolvers<void>()
  const asked: unknown[] = []
  stubApi({
    'GET /web/v2/sites/': () => ({ data: [siteOf(600)], meta: { total: 1, page: 1, pageSize: -1 } }),
    [`GET ${RRSETS}`]: async (_, query) => {
      asked.push([query.get('page_size'), screen.queryByText('h3') !== null])
      if (query.get('page_size') === '-1') await rest.promise
      return {
        data: query.get('page_size') === '-1' ? many : many.slice(0, 100),
        meta: { total: 600, page: 1, pageSize: 100 },
      }
    },
  })
  openScreen(PAGE)
  const table = await screen.findByRole('table', { name: 'DNS records of example.com' })
  expect(within(table).getByText('h3')).toBeDefined()
  expect(screen.getByText('600 records')).toBeDefined()
  const row = within(table).getByText('h3')
  await waitFor(() =>
    expect(asked).toEqual([
      ['100', false],
      ['-1', true],
    ]),
  )
  rest.resolve()
  await waitFor(() => expect(screen.getByRole('table').getAttribute('aria-rowcount')).toBe('601'))
  expect(within(screen.getByRole('table')).getByText('h3')).toBe(row)
})

test('a zone of a million records is shown page by page: searched, sorted and filtered by the server, and never asked for whole', async () => {
  const asked: Record<string, string>[] = []
  stubApi({
    'GET /web/v2/sites/': () => ({
      data: [siteOf(1_000_000)],
      meta: { total: 1, page: 1, pageSize: -1 },
    }),
    [`GET ${RRSETS}`]: (_, query) => {
      asked.push(Object.fromEntries(query))
      const page = Number(query.get('page'))
      const total = query.has('search') ? 700 : 1_000_000
      return {
        data: Array.from({ length: 500 }, (_, at) => recordOf({ id: `${page}-${at}`, name: `h${page}x${at}` })),
        meta: { total, page, pageSize: 500 },
      }
    },
  })
  openScreen(`${PAGE}?sort=-ttl&type=${encodeURIComponent('["A","TXT"]')}`)
  expect(await screen.findByText('1 to 500 of 1,000,000')).toBeDefined()
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Previous' }).disabled).toBe(true)
  fireEvent.click(screen.getByRole('button', { name: 'Next' }))
  expect(await screen.findByText('501 to 1,000 of 1,000,000')).toBeDefined()
  expect(await screen.findByText('h2x3')).toBeDefined()
  fireEvent.change(screen.getByLabelText('Filter by name or value'), { target: { value: 'www.example.com' } })
  expect(await screen.findByText('1 to 500 of 700')).toBeDefined()
  expect(screen.getByText('700 of 1000000 records')).toBeDefined()
  const base = { page_size: '500', ordering: '-ttl', type: 'A,TXT' }
  expect(asked).toEqual([
    { ...base, page: '1' },
    { ...base, page: '2' },
    { ...base, page: '1', search: 'www' },
  ])
})

test('the filters of a shared address are applied, and Clear takes them away', async () => {
  stubApi(list())
  openScreen(`${PAGE}?search=dmarc`)
  expect(await screen.findByText('1 of 3 records')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }))
  expect(await screen.findByText('3 records')).toBeDefined()
})

test('a switch that is refused flips back and says why', async () => {
  stubApi({ ...list(), [`PATCH ${RRSETS}r2/`]: () => refusal(409, 900104) })
  openScreen(PAGE)
  const toggle = await screen.findByRole<HTMLInputElement>('switch', { name: 'Multi-CDN for img CNAME' })
  fireEvent.click(toggle)
  expect(await screen.findByText(/A CNAME has to be alone/)).toBeDefined()
  await waitFor(() => expect(toggle.checked).toBe(false))
})

test('a record that is probably not meant so says why, and what is right says nothing', async () => {
  stubApi(
    list([
      recordOf({ id: 'r1', type: 'MX', name: '@', value: 'mail.example.com', preference: 10 }),
      recordOf({ id: 'r2', type: 'CNAME', name: 'img', value: 'origin.example.net' }),
    ]),
  )
  openScreen(PAGE)
  const hints = await screen.findAllByRole('img', { name: 'The name this leads to does not exist in this zone' })
  expect(hints).toHaveLength(1)
})

test('comments and tags are shown, searched and filtered by', async () => {
  stubApi(
    list([
      recordOf({ id: 'r1', name: 'www', comment: 'The old host', tags: ['shop'] }),
      recordOf({ id: 'r2', name: 'api', tags: ['live'] }),
    ]),
  )
  openScreen(`${PAGE}?search=old%20host`)
  expect(await screen.findByRole('img', { name: 'Comment: The old host' })).toBeDefined()
  expect(await screen.findByText('1 of 2 records')).toBeDefined()
  expect(within(screen.getByRole('table')).getByText('shop')).toBeDefined()
  expect(within(screen.getByRole('table')).queryByText('live')).toBeNull()
})

test('the history of one record is opened from its menu', async () => {
  stubApi({
    ...list(),
    'GET /spine/v2/sites/s1/versions/': () => ({ data: [], meta: { total: 0, page: 1, pageSize: 30 } }),
  })
  const { router } = openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for _dmarc TXT' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'History…' }))
  expect(await screen.findByText('History of _dmarc TXT')).toBeDefined()
  expect(router.state.location.search).toMatchObject({ history: 'r3' })
})

test('a deleted record comes back by Undo, which reverts the version', async () => {
  const changes = stubApi({
    ...list(),
    [`DELETE ${RRSETS}r3/`]: () => ({ data: { id: 'r3' }, meta: { version: 4 } }),
    'POST /spine/v2/sites/s1/versions/4/revert/': () => ({ data: { reverted: 4 }, meta: { version: 5 } }),
  })
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Actions for _dmarc TXT' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(changes.map(({ method, path }) => `${method} ${path}`)).toEqual([
      `DELETE ${RRSETS}r3/`,
      'POST /spine/v2/sites/s1/versions/4/revert/',
    ]),
  )
})

test('records that come from another primary are shown, and nothing offers to change them', async () => {
  stubApi({
    ...list(),
    'GET /mdns/v2/zones/s1/': () => ({
      siteId: 's1',
      fetched: true,
      origin: 'example.com',
      nameservers: { global: [], china: [] },
      soa: { mname: 'ns.far.test', rname: 'admin.far.test', serial: 7, refresh: 1, retry: 1, expire: 1, minimum: 1 },
      recordQuota: { used: 3, total: 50 },
    }),
  })
  openScreen(`${PAGE}?record=r3`)
  expect(await screen.findByText('These records come from another primary')).toBeDefined()
  const drawer = await screen.findByRole('dialog')
  expect(within(drawer).queryByRole('button', { name: 'Save' })).toBeNull()
  fireEvent.click(within(drawer).getAllByRole('button', { name: 'Close' })[0] as HTMLElement)
  expect(screen.queryByRole('button', { name: 'Add record' })).toBeNull()
  expect(screen.queryByRole('button', { name: /Import/ })).toBeNull()
  expect(
    (await screen.findAllByRole<HTMLInputElement>('switch', { hidden: true })).every(({ disabled }) => disabled),
  ).toBe(true)
})

describe('the form', () => {
  const fill = (label: string, value: string) => {
    const field = screen.getByLabelText(label)
    fireEvent.change(field, { target: { value } })
    fireEvent.blur(field)
  }

  test('says what is wrong in words and sends nothing', async () => {
    const changes = stubApi(list())
    openScreen(`${PAGE}?record=new`)
    await screen.findByLabelText('IPv4 address')
    fill('IPv4 address', '10.0.0')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add record' }))
    expect(await screen.findByText('Enter an IPv4 address, like 203.0.113.10')).toBeDefined()
    expect(screen.getByText('Required')).toBeDefined()
    expect(screen.getByText('One or more fields have an error')).toBeDefined()
    expect(changes).toEqual([])
  })

  test('sends the record and closes', async () => {
    const changes = stubApi({
      ...list(),
      [`POST ${RRSETS}`]: ({ body }) => ({ data: recordOf({ id: 'r9', ...Object(body) }), meta: { version: 4 } }),
    })
    const { router } = openScreen(`${PAGE}?record=new`)
    await screen.findByLabelText('IPv4 address')
    fill('Name', 'shop.example.com')
    fill('IPv4 address', '198.41.0.9')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add record' }))
    await waitFor(() =>
      expect(changes.map(({ body }) => body)).toEqual([
        {
          type: 'A',
          name: 'shop',
          value: '198.41.0.9',
          preference: null,
          ttlSeconds: null,
          multiCdn: false,
          weight: null,
          comment: '',
          tags: [],
        },
      ]),
    )
    await waitFor(() => expect(router.state.location.search).not.toHaveProperty('record'))
  })

  test('puts a refusal of the API at the field it is about', async () => {
    stubApi({ ...list(), [`POST ${RRSETS}`]: () => refusal(403, 810005) })
    openScreen(`${PAGE}?record=new`)
    await screen.findByLabelText('IPv4 address')
    fill('Name', 'shop')
    fill('IPv4 address', '198.41.0.9')
    fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Add record' }))
    expect(await screen.findByText('The TTL is shorter than your plan allows.')).toBeDefined()
  })
})

describe('changing many', () => {
  const choose = async (names: string[]) => {
    const table = await screen.findByRole('table')
    for (const name of names) fireEvent.click(within(table).getByRole('checkbox', { name: new RegExp(name) }))
    fireEvent.click(await screen.findByRole('button', { name: 'Change…' }))
    return screen.findByRole('dialog')
  }

  test('sends the new value of records of one type as one change, and asks again where it is much of the zone', async () => {
    const two = [recordOf({ id: 'r1', name: 'a' }), recordOf({ id: 'r2', name: 'b' })]
    const changes = stubApi({
      ...list(two),
      [`POST ${RRSETS}update/`]: ({ body }) =>
        Object(body).force ? { data: { updated: 2 }, meta: { version: 5 } } : refusal(409, 900107),
    })
    openScreen(PAGE)
    const dialog = await choose(['^Select a A|a A', 'b A'])
    fireEvent.click(within(dialog).getByRole('button', { name: 'Change 2 records' }))
    expect(await within(dialog).findByText('Choose a TTL or enter a value')).toBeDefined()
    fireEvent.change(within(dialog).getByLabelText('New value'), { target: { value: '198.41.0.77' } })
    fireEvent.click(within(dialog).getByRole('button', { name: 'Change 2 records' }))
    fireEvent.click(await within(dialog).findByRole('button', { name: 'Change anyway' }))
    await waitFor(() =>
      expect(changes.map(({ body }) => body)).toEqual([
        { ids: ['r1', 'r2'], set: { value: '198.41.0.77' }, force: false },
        { ids: ['r1', 'r2'], set: { value: '198.41.0.77' }, force: true },
      ]),
    )
    expect(await screen.findByText('2 records changed')).toBeDefined()
  })

  test('records of different types share only their TTL', async () => {
    stubApi(list())
    openScreen(PAGE)
    const dialog = await choose(['img CNAME', '_dmarc TXT'])
    expect(within(dialog).getByText(/only their TTL/)).toBeDefined()
    expect(within(dialog).queryByLabelText('New value')).toBeNull()
  })
})

test('a type of several parts has a field for each, and sends the value that they make', async () => {
  const rows = [recordOf({ id: 'r1', type: 'TLSA', name: '_443._tcp', value: `3 1 1 ${'AB'.repeat(32)}` })]
  const changes = stubApi({
    ...list(rows),
    [`PATCH ${RRSETS}r1/`]: ({ body }) => ({ data: { ...rows[0], ...Object(body) }, meta: { version: 4 } }),
  })
  openScreen(`${PAGE}?record=r1`)
  const field = await screen.findByLabelText('Certificate data')
  fireEvent.change(field, { target: { value: 'CD'.repeat(32) } })
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(changes.map(({ body }) => Object(body).value)).toEqual([`3 1 1 ${'CD'.repeat(32)}`]))
})

test('an SRV record has fields for service, protocol and host, which make its name', async () => {
  const rows = [recordOf({ id: 'r1', type: 'SRV', name: '_sip._tls.voice', value: '10 5 5061 sip.example.net' })]
  const changes = stubApi({
    ...list(rows),
    [`PATCH ${RRSETS}r1/`]: ({ body }) => ({ data: { ...rows[0], ...Object(body) }, meta: { version: 4 } }),
  })
  openScreen(`${PAGE}?record=r1`)
  const field = await screen.findByLabelText<HTMLInputElement>('Service')
  expect(field.value).toBe('sip')
  expect(screen.getByRole<HTMLInputElement>('combobox', { name: 'Protocol' }).value).toBe('TLS')
  fireEvent.change(field, { target: { value: '_sips' } })
  fireEvent.change(screen.getByDisplayValue('voice'), { target: { value: '@' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save changes' }))
  await waitFor(() => expect(changes.map(({ body }) => Object(body).name)).toEqual(['_sips._tls']))
})

test('what is typed into a drawer is asked about before it is closed', async () => {
  stubApi(list())
  openScreen(PAGE)
  await screen.findByText('origin.example.net')
  fireEvent.click(screen.getByTitle('img.example.com'))
  fireEvent.change(await screen.findByDisplayValue('origin.example.net'), { target: { value: 'typed.example.net' } })
  await screen.findByDisplayValue('typed.example.net')
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  const asking = async () => within(await screen.findByRole('dialog', { name: 'Leave without saving?' }))
  fireEvent.click((await asking()).getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByText('Leave without saving?')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Close' }))
  const leave = (await asking()).getByRole('button', { name: 'Leave' })
  expect(screen.getByDisplayValue('typed.example.net')).toBeDefined()
  fireEvent.click(leave)
  await waitFor(() => expect(screen.queryByDisplayValue('typed.example.net')).toBeNull())
})

test('without the right to edit nothing offers to', async () => {
  stubApi(list(), accountOf({ permissions: ['ViewSite'] }))
  openScreen(PAGE)
  await screen.findByRole('table')
  expect(screen.queryByRole('button', { name: 'Add record' })).toBeNull()
  expect(screen.queryByRole('checkbox')).toBeNull()
  expect(screen.getAllByRole<HTMLInputElement>('switch').every(({ disabled }) => disabled)).toBe(true)
})

test('in a sandbox a change is refused with its own words and never sent', async () => {
  const changes = stubApi(list(), accountOf({ sandboxMode: true }))
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('switch', { name: 'Multi-CDN for img CNAME' }))
  expect(await screen.findByText(/only available on the actual platform/)).toBeDefined()
  expect(changes).toEqual([])
})

test('an API that fails leaves the page standing, with the id to quote', async () => {
  stubApi({ [`GET ${RRSETS}`]: () => refusal(500, 500) })
  openScreen(PAGE)
  expect(await screen.findByText(/Quote req-1/)).toBeDefined()
  expect(screen.getByRole('heading', { name: 'DNS records' })).toBeDefined()
})
