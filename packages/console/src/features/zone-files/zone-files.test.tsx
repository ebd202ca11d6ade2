import { type ZoneFilePreview, type ZoneFileRow, ZoneFileFault, ZoneFileNote, ZoneFileSkip } from '@fairway/contract'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { loadCatalog } from '../../i18n/catalogs.ts'
import { type Call, accountOf, recordOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { formatOf } from './import-source.ts'

const PREVIEW = 'POST /mdns/v2/zones/s1/zone-file/preview/'
const APPLY = 'POST /mdns/v2/zones/s1/zone-file/'
const PAGE = '/example.com/dns/dns-records'
const records = {
  'GET /mdns/v2/zones/s1/rrsets/': () => ({
    data: [recordOf({ id: 'r1' })],
    meta: { total: 1, page: 1, pageSize: -1 },
  }),
}

const row = (change: Partial<ZoneFileRow>): ZoneFileRow => ({
  action: 'added',
  line: 1,
  type: 'A',
  name: 'www',
  value: '192.0.2.1',
  preference: null,
  ttlSeconds: 300,
  before: null,
  reason: null,
  notes: [],
  ...change,
})
function previewOf(rows: ZoneFileRow[], change: Partial<ZoneFilePreview> = {}): ZoneFilePreview {
  const count = (action: ZoneFileRow['action']) => rows.filter((one) => one.action === action).length
  return {
    version: 3,
    errors: [],
    rows,
    counts: { added: count('added'), changed: count('changed'), removed: count('removed'), skipped: count('skipped') },
    recordQuota: { used: 1, total: 50, after: 2 },
    touchedShare: 0,
    needsForce: false,
    ...change,
  }
}
const answered = (preview: ZoneFilePreview) => ({ ...records, [PREVIEW]: () => ({ body: preview }) })

/** Opens the drawer and pastes something. */
async function paste(text: string) {
  fireEvent.click(await screen.findByRole('button', { name: 'Import' }))
  fireEvent.change(await screen.findByLabelText('Or paste its text'), { target: { value: text } })
  return within(screen.getByRole('dialog', { name: 'Import records into example.com' }))
}
const bodiesOf = (changes: Call[], key: string) =>
  changes.filter(({ method, path }) => `${method} ${path}` === key).map(({ body }) => body)

test('a pasted file is previewed record by record, with what changes and why not', async () => {
  const changes = stubApi(
    answered(
      previewOf([
        row({}),
        row({
          action: 'changed',
          name: 'api',
          value: '192.0.2.9',
          before: { value: '192.0.2.8', preference: null, ttlSeconds: null },
        }),
        row({ action: 'skipped', name: '@', type: 'SOA', reason: 'managed' }),
        row({ action: 'skipped', name: 'x', reason: 'code:900104' }),
        row({ action: 'skipped', name: 'y', type: 'MX', reason: 'validation.fqdn' }),
        row({ action: 'removed', line: null, name: 'old', ttlSeconds: null }),
        row({ name: 'slow', ttlSeconds: 86_400, notes: ['ttlLowered'] }),
      ]),
    ),
  )
  openScreen(PAGE)
  const drawer = await paste('www 300 A 192.0.2.1')
  const table = await drawer.findByRole('table', { name: 'What the import would do' })
  for (const words of [
    'was 192.0.2.8 · TTL was Auto',
    'The SOA and the root’s nameservers are ours',
    'A CNAME has to be alone at its name. Use another name, or delete the other records there first.',
    'Enter a host name, like mail.example.com',
    'TTL lowered to the longest that is allowed',
  ])
    expect(within(table).getByText(words)).toBeDefined()
  expect(drawer.getByRole('button', { name: 'Import 4 changes' })).toBeDefined()
  fireEvent.click(drawer.getByRole('radio', { name: 'Skipped 3' }))
  await waitFor(() => expect(within(table).getAllByRole('row')).toHaveLength(4))
  expect(bodiesOf(changes, PREVIEW)).toEqual([{ text: 'www 300 A 192.0.2.1', format: 'bind', mode: 'merge' }])
})

test('importing sends the version that was previewed, and Undo takes all of it back', async () => {
  const changes = stubApi({
    ...answered(previewOf([row({})])),
    [APPLY]: () => ({ data: { added: 1, changed: 0, removed: 0, skipped: 0, left: [] }, meta: { version: 4 } }),
    'POST /spine/v2/sites/s1/versions/4/revert/': () => ({ data: { reverted: 4 }, meta: { version: 5 } }),
  })
  openScreen(PAGE)
  const drawer = await paste('www 300 A 192.0.2.1')
  fireEvent.click(await drawer.findByRole('button', { name: 'Import 1 change' }))
  expect(await screen.findByText('Imported: 1 added, 0 changed, 0 removed')).toBeDefined()
  await waitFor(() => expect(screen.queryByRole('dialog', { name: 'Import records into example.com' })).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() => expect(changes.at(-1)?.path).toBe('/spine/v2/sites/s1/versions/4/revert/'))
  expect(bodiesOf(changes, APPLY)).toEqual([
    { text: 'www 300 A 192.0.2.1', format: 'bind', mode: 'merge', version: 3, force: false },
  ])
})

test('a broken file names every place and cannot be imported', async () => {
  stubApi(
    answered(
      previewOf([], {
        errors: [
          { line: 2, column: 11, fault: 'badIpv4', text: '192.0.2.300' },
          { line: 3, column: 1, fault: 'include', text: '$INCLUDE' },
        ],
      }),
    ),
  )
  openScreen(PAGE)
  const drawer = await paste('broken')
  expect(await drawer.findByText('The file cannot be read: 2 errors')).toBeDefined()
  expect(
    within(drawer.getByRole('list', { name: 'Errors in the file' })).getAllByRole('listitem')[0]?.textContent,
  ).toBe('Line 2, column 11: This is not an IPv4 address. 192.0.2.300')
  expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled).toBe(true)
  expect(drawer.getByText('Correct the file first; nothing of it is imported.')).toBeDefined()
})

test('a large change is asked about again, with its share', async () => {
  const changes = stubApi({
    ...answered(previewOf([row({ action: 'removed', line: null })], { touchedShare: 0.45, needsForce: true })),
    [APPLY]: () => ({ data: { added: 0, changed: 0, removed: 1, skipped: 0 }, meta: { version: 4 } }),
  })
  openScreen(PAGE)
  const drawer = await paste('www 300 A 192.0.2.1')
  fireEvent.click(drawer.getByRole('radio', { name: 'Replace the others' }))
  fireEvent.click(await drawer.findByRole('button', { name: 'Import 1 change' }))
  expect(await screen.findByText('This changes or removes 45% of the records of example.com.')).toBeDefined()
  expect(bodiesOf(changes, APPLY)).toEqual([])
  fireEvent.click(screen.getByRole('button', { name: 'Import anyway' }))
  await waitFor(() => expect(bodiesOf(changes, APPLY)).toMatchObject([{ mode: 'replace', force: true }]))
})

test('a site that has changed meanwhile is previewed again, and the drawer says so', async () => {
  const changes = stubApi({ ...answered(previewOf([row({})])), [APPLY]: () => refusal(409, 409) })
  openScreen(PAGE)
  const drawer = await paste('www 300 A 192.0.2.1')
  fireEvent.click(await drawer.findByRole('button', { name: 'Import 1 change' }))
  expect(await drawer.findByText(/changed meanwhile/)).toBeDefined()
  await waitFor(() => expect(bodiesOf(changes, PREVIEW)).toHaveLength(2))
})

test('more records than the plan allows, or nothing to do, cannot be imported, and the reason stands beside the button', async () => {
  stubApi(answered(previewOf([row({})], { recordQuota: { used: 50, total: 50, after: 51 } })))
  openScreen(PAGE)
  const drawer = await paste('www 300 A 192.0.2.1')
  expect(await drawer.findByText('The site would have 51 records; the plan allows 50.')).toBeDefined()
  expect(drawer.getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled).toBe(true)
})

test('a dropped table is known by its name', async () => {
  const changes = stubApi(answered(previewOf([row({})])))
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Import' }))
  const area = (await screen.findByText('Drop a zone file (BIND) or a CSV table here')).parentElement
  if (area)
    fireEvent.drop(area, { dataTransfer: { files: [new File(['name,type,value\nwww,A,192.0.2.1'], 'records.csv')] } })
  expect(await screen.findByText('records.csv')).toBeDefined()
  await waitFor(() =>
    expect(bodiesOf(changes, PREVIEW)).toEqual([
      { text: 'name,type,value\nwww,A,192.0.2.1', format: 'csv', mode: 'merge' },
    ]),
  )
})

/** More than a megabyte in few records. */
const LONG = Array.from({ length: 200 }, () => `"${'x'.repeat(240)}"`).join(' ')
const large = (records: number) => Array.from({ length: records }, (_, at) => `h${at} 300 IN TXT ${LONG}`).join('\n')
const zone = (total: number) => ({
  'GET /mdns/v2/zones/s1/': () => ({
    siteId: 's1',
    origin: 'example.com',
    nameservers: { global: [], china: [] },
    soa: { mname: 'a', rname: 'b', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 1 },
    recordQuota: { used: 1, total },
    fetched: false,
  }),
})
async function drop(text: string, name = 'large.zone') {
  const area = (await screen.findByText('Drop a zone file (BIND) or a CSV table here')).parentElement
  if (area) fireEvent.drop(area, { dataTransfer: { files: [new File([text], name)] } })
  return within(screen.getByRole('dialog', { name: 'Import records into example.com' }))
}

test('a large file is imported in parts without a preview, goes on after a refusal, and says what was left out by its line', async () => {
  let refusals = 0
  const changes = stubApi({
    ...records,
    ...zone(1_000_000),
    [APPLY]: (call) => {
      const { part } = call.body as { part: { number: number } }
      if (part.number === 2 && refusals++ === 0) return refusal(503, 503)
      const left = part.number === 2 ? [row({ action: 'skipped', name: 'x', line: 3, reason: 'code:900104' })] : []
      return { data: { added: 5, changed: 1, removed: 0, skipped: left.length, left }, meta: { version: part.number } }
    },
  })
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Import' }))
  const drawer = await drop(large(24))
  fireEvent.click(await drawer.findByRole('button', { name: 'Import 24 records' }, { timeout: 20_000 }))
  expect(await drawer.findByText('Part 2 could not be imported')).toBeDefined()
  expect(drawer.getByText(/Stopped after 1 of 2 parts/)).toBeDefined()
  fireEvent.click(drawer.getByRole('button', { name: 'Continue' }))
  expect(await drawer.findByText(/All 2 parts imported/)).toBeDefined()
  expect(drawer.getByText(/10 added, 2 changed, 1 skipped/)).toBeDefined()
  const [first] = bodiesOf(changes, APPLY) as { text: string; part: object }[]
  expect(first?.text.startsWith('h0.example.com. 300 IN TXT')).toBe(true)
  expect(bodiesOf(changes, APPLY).map((body) => (body as { part: object }).part)).toEqual([
    { number: 1, of: 2 },
    { number: 2, of: 2 },
    { number: 2, of: 2 },
  ])
  const inFirst = first?.text.trimEnd().split('\n').length ?? 0
  expect(drawer.getByText(`Line ${inFirst + 3}:`)).toBeDefined()
  expect(bodiesOf(changes, PREVIEW)).toEqual([])
})

test('a large file beyond the plan, or that is to replace the others, is not begun, and a broken one names its places', async () => {
  const changes = stubApi({ ...records, ...zone(20) })
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Import' }))
  const drawer = await drop(large(24))
  expect(await drawer.findByText('More records than the plan allows.', undefined, { timeout: 20_000 })).toBeDefined()
  fireEvent.click(drawer.getByRole('button', { name: 'Choose another' }))
  await drop(`${large(24)}\nwww 300 A 192.0.2.300`)
  expect(await drawer.findByText('The file cannot be read: 1 error', undefined, { timeout: 20_000 })).toBeDefined()
  expect(drawer.getByText('Line 25, column 11:')).toBeDefined()
  expect(bodiesOf(changes, APPLY)).toEqual([])
})

test('the format is guessed by name and by the first line', () => {
  expect(
    [
      ['name,type,value', null],
      ['Host;Type;Content', null],
      ['a 300 A 192.0.2.1', null],
      ['; name, type, value', null],
      ['x', 'zone.CSV'],
      ['name,type', 'x.zone'],
    ].map(([text, name]) => formatOf(text ?? '', name ?? null)),
  ).toEqual(['csv', 'csv', 'bind', 'bind', 'csv', 'bind'])
})

test('the zone is exported by a link in either form', async () => {
  stubApi(records)
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Export' }))
  const links = (await screen.findAllByRole('menuitem')).map((item) => item.getAttribute('href'))
  expect(links).toEqual(['/mdns/v2/zones/s1/zone-file/?format=bind', '/mdns/v2/zones/s1/zone-file/?format=csv'])
})

test('without the right to edit there is an export and no import', async () => {
  stubApi(records, accountOf({ permissions: ['ViewSite'] }))
  openScreen(PAGE)
  expect(await screen.findByRole('button', { name: 'Export' })).toBeDefined()
  expect(screen.queryByRole('button', { name: 'Import' })).toBeNull()
})

test('every fault, reason and note has its words', async () => {
  const texts = (await loadCatalog('en'))['zone-files']
  expect(texts).toMatchObject({
    fault: Object.fromEntries(ZoneFileFault.options.map((key) => [key, expect.any(String)])),
    skip: Object.fromEntries(ZoneFileSkip.options.map((key) => [key, expect.any(String)])),
    note: Object.fromEntries(ZoneFileNote.options.map((key) => [key, expect.any(String)])),
  })
})
