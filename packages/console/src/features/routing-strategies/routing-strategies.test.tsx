import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { cdnOf, domainOf, explanation, page, platforms, strategyOf } from '../../testing/steering-answers.ts'
// Pages are fetched when they are opened; here they are there before the first test begins to wait.
import '../vsr-rules/vsr-list.tsx'

const BASE = '/decisive/v2/sites/s1/domains/d1'
const PAGE = '/example.com/www.example.com/dem/routing-strategies'
const user = accountOf({
  permissions: ['ViewSite', 'EditSite', 'ViewPerformancePolicy', 'EditPerformancePolicy'],
  plan: {
    id: 'p',
    name: 'Business',
    ability: ['multiCdn.enable', 'dns.staticRouting', 'dns.dynamicRouting', 'dns.geoFilter', 'dns.vsr'],
  },
})
const rows = [
  strategyOf('s1', {
    name: 'Only China',
    filter: { places: ['country:CN'], networks: ['CT'], cidrs: [] },
    method: 'always-use',
  }),
  strategyOf('s2', { name: 'Europe' }),
  strategyOf('s3', { name: 'Everyone' }),
]
const world = (strategies = rows) => ({
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  'GET /web/v2/platforms/': () => platforms,
  'GET /web/v2/sites/s1/domains/d1/cdns/': () => page([cdnOf('a'), cdnOf('b')]),
  [`GET ${BASE}/strategies/`]: () => ({
    ...page(strategies),
    warnings: [{ strategyId: 's3', kind: 'unreachable', becauseOf: 's2' }],
  }),
  [`POST ${BASE}/simulate/`]: () => explanation,
  'GET /decisive/v2/why/': () => explanation,
})
const names = () =>
  within(screen.getByRole('list', { name: 'Strategy list' }))
    .getAllByRole('link')
    .map(({ textContent }) => textContent)

test('strategies stand in the order they are read, with whom they are for, and the one never reached says why', async () => {
  stubApi(world(), user)
  openScreen(PAGE)
  await screen.findByText('Only China')
  expect(names()).toEqual(['Only China', 'Europe', 'Everyone'])
  expect(screen.getByText('China · China Telecom')).toBeDefined()
  expect(screen.getByText('Never reached: “Europe” always decides first for its visitors')).toBeDefined()
})

test('Alt and an arrow move a strategy at once, and Undo puts it back', async () => {
  const changes = stubApi(
    { ...world(), [`PUT ${BASE}/priority/`]: ({ body }) => ({ data: body, meta: { version: 4 } }) },
    user,
  )
  openScreen(PAGE)
  fireEvent.keyDown(await screen.findByRole('button', { name: /^Europe: 2 of 3/ }), { key: 'ArrowUp', altKey: true })
  expect(await screen.findByText('“Europe” moved to 1 of 3')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  await waitFor(() =>
    expect(changes.map(({ body }) => body)).toEqual([{ ids: ['s2', 's1', 's3'] }, { ids: ['s1', 's2', 's3'] }]),
  )
})

test('an order that is refused is shown as it was, with the reason', async () => {
  stubApi({ ...world(), [`PUT ${BASE}/priority/`]: () => refusal(409, 409) }, user)
  openScreen(PAGE)
  fireEvent.keyDown(await screen.findByRole('button', { name: /^Europe: 2 of 3/ }), { key: 'ArrowDown', altKey: true })
  await screen.findByRole('alert')
  await waitFor(() => expect(names()).toEqual(['Only China', 'Europe', 'Everyone']))
})

test('"Move to…" puts a strategy at a position and refuses one that does not exist', async () => {
  const changes = stubApi(
    { ...world(), [`PUT ${BASE}/priority/`]: ({ body }) => ({ data: body, meta: { version: 4 } }) },
    user,
  )
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'More for Only China' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to…' }))
  const position = await screen.findByLabelText('Position, 1 to 3')
  fireEvent.change(position, { target: { value: '9' } })
  expect(await screen.findByText('Enter a number from 1 to 3')).toBeDefined()
  fireEvent.change(position, { target: { value: '3' } })
  fireEvent.click(screen.getByRole('button', { name: 'Move' }))
  await waitFor(() => expect(changes[0]?.body).toEqual({ ids: ['s2', 's3', 's1'] }))
})

test('a copy of a strategy has the name that was asked for, stands behind it, and is off', async () => {
  const changes = stubApi(
    {
      ...world(),
      [`POST ${BASE}/strategies/`]: () => ({ data: { ...strategyOf('s9'), name: 'Canary' }, meta: { version: 4 } }),
      [`PUT ${BASE}/priority/`]: ({ body }) => ({ data: body, meta: { version: 5 } }),
    },
    user,
  )
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'More for Europe' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Duplicate…' }))
  const name = await screen.findByLabelText('Name')
  expect(name).toHaveProperty('value', 'Europe (copy)')
  fireEvent.change(name, { target: { value: '' } })
  fireEvent.click(screen.getByRole('button', { name: 'Duplicate' }))
  expect(await screen.findByText('Required')).toBeDefined()
  fireEvent.change(name, { target: { value: 'Canary' } })
  fireEvent.click(screen.getByRole('button', { name: 'Duplicate' }))
  await waitFor(() => expect(changes).toHaveLength(2))
  expect(changes[0]?.body).toMatchObject({ name: 'Canary', enabled: false, method: 'best-latency' })
  expect(changes[1]?.body).toEqual({ ids: ['s1', 's2', 's9', 's3'] })
})

const effectOf = (domainId: string, change: object = {}) => ({
  domainId,
  name: `${domainId}.example.com`,
  code: null,
  fields: [],
  changes: [{ entity: 'strategy', id: 's7', label: 'Europe', before: { enabled: true }, after: { enabled: false } }],
  visitors: { samples: 400, looked: 400, moved: 50, groups: [] },
  ...change,
})
const three = ['d1', 'd2', 'd3', 'd4'].map((id) => domainOf({ id, name: `${id}.example.com` }))
const many = {
  ...world(),
  'GET /web/v2/sites/s1/domains/': () => page([domainOf(), ...three.slice(1)]),
}

test('many domains are changed after the effect on each was shown, without those that are refused or as wanted', async () => {
  const asked: unknown[] = []
  const changes = stubApi(
    {
      ...many,
      'POST /decisive/v2/sites/s1/strategies/bulk-update/effect/': ({ body }) => {
        asked.push(body)
        return {
          data: [
            effectOf('d1'),
            effectOf('d2', { visitors: null }),
            effectOf('d3', { changes: [] }),
            effectOf('d4', {
              code: 400,
              changes: [],
              fields: [{ path: 'x', message: 'validation.notInstalled' }],
              visitors: null,
            }),
          ],
        }
      },
      'POST /decisive/v2/sites/s1/strategies/bulk-update/': () => ({
        data: { domainIds: ['d1', 'd2'], changedIds: ['d1', 'd2'] },
        meta: { version: 9 },
      }),
    },
    user,
  )
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Many domains' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Change many domains…' }))
  const all = await screen.findByLabelText('All 4')
  fireEvent.click(screen.getByRole('button', { name: 'See the effect' }))
  expect((await screen.findByRole('alert')).textContent).toContain('Choose at least one domain.')
  fireEvent.click(all)
  fireEvent.click(screen.getByRole('combobox', { name: 'Enabled' }))
  // Every switch has its own *Off*; those of the first field come first.
  const [off] = await screen.findAllByRole('option', { name: 'Off', hidden: true })
  if (off) fireEvent.click(off)
  fireEvent.click(screen.getByRole('button', { name: 'See the effect' }))
  expect(await screen.findByText('Moves 12.5% of visitors')).toBeDefined()
  expect(asked).toEqual([{ domainIds: ['d1', 'd2', 'd3', 'd4'], strategy: { enabled: false } }])
  // What is not known is no zero.
  expect(screen.getByText('Effect not known')).toBeDefined()
  expect(screen.getByText('As wanted already')).toBeDefined()
  expect(screen.getByText('Refused')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Change 2 domains' }))
  expect(await screen.findByText('Version 9 holds it all. It is on its way to the nodes.')).toBeDefined()
  expect(screen.getAllByText('Changed')).toHaveLength(2)
  expect(screen.getByText('Left out')).toBeDefined()
  expect(asked).toHaveLength(1)
  expect(changes.at(-1)?.body).toEqual({ domainIds: ['d1', 'd2'], strategy: { enabled: false } })
})

test('what this domain has goes to others, not to itself, and a refusal changes none', async () => {
  const changes = stubApi(
    {
      ...many,
      [`POST ${BASE}/clone-and-replace/effect/`]: () => ({ data: [effectOf('d2')] }),
      [`POST ${BASE}/clone-and-replace/`]: () => refusal(409, 810007),
    },
    user,
  )
  openScreen(PAGE)
  fireEvent.click(await screen.findByRole('button', { name: 'Many domains' }))
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Copy to other domains…' }))
  fireEvent.click(await screen.findByLabelText('d2.example.com'))
  expect(screen.queryByLabelText('www.example.com')).toBeNull()
  fireEvent.click(screen.getByRole('switch', { name: 'Visitor synthetic regions' }))
  fireEvent.click(screen.getByRole('button', { name: 'See the effect' }))
  fireEvent.click(await screen.findByRole('button', { name: 'Change 1 domain' }))
  expect(await screen.findByText('No domain was changed')).toBeDefined()
  expect(changes.at(-1)?.body).toEqual({ domainIds: ['d2'], strategies: true, vsrRules: true, setting: false })
})

test('who may only look gets no handles, menus or buttons', async () => {
  stubApi(world(), accountOf({ permissions: ['ViewSite', 'ViewPerformancePolicy'] }))
  openScreen(PAGE)
  await screen.findByText('Only China')
  expect(screen.queryByRole('button', { name: /^More for/ })).toBeNull()
  expect(screen.queryByRole('link', { name: 'Add strategy' })).toBeNull()
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Strategy Europe' }).disabled).toBe(true)
})

test('the editor says the strategy in words and what it would move, before anything is saved', async () => {
  const moved = { ...explanation, decision: { ...explanation.decision, shares: [{ cdnId: 'a', percent: 100 }] } }
  const changes = stubApi(
    {
      ...world(),
      [`POST ${BASE}/simulate/`]: ({ body }) =>
        typeof body === 'object' && body !== null && 'draft' in body ? moved : explanation,
    },
    user,
  )
  openScreen(`${PAGE}/edit/s2`)
  expect(
    await screen.findByText(
      /^All visitors go to the fastest of Alpha and Bravo\. A CDN below 90% availability is left out/,
    ),
  ).toBeDefined()
  expect(await screen.findByText('6 of these would move')).toBeDefined()
  expect(changes.every(({ path }) => path.endsWith('/simulate/'))).toBe(true)
})

test('a new strategy without a name or a CDN is not sent', async () => {
  const changes = stubApi(world(), user)
  openScreen(`${PAGE}/add`)
  fireEvent.click(await screen.findByRole('button', { name: 'Leave out Alpha' }))
  fireEvent.click(screen.getByRole('button', { name: 'Leave out Bravo' }))
  fireEvent.click(screen.getByRole('button', { name: 'Add strategy' }))
  expect(await screen.findByText('Choose at least one CDN')).toBeDefined()
  expect(screen.getByText('Required')).toBeDefined()
  expect(changes.some(({ path }) => path === `${BASE}/strategies/`)).toBe(false)
})

test('a strategy that was refused is not lost without a question', async () => {
  const calls = stubApi({ ...world(), [`PUT ${BASE}/strategies/s2/`]: () => refusal(400, 810_004) }, user)
  const { router } = openScreen(`${PAGE}/edit/s2`)
  fireEvent.change(await screen.findByRole('textbox', { name: 'Name' }), { target: { value: 'Mine' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Save strategy' }))
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
  expect(await screen.findByText(/was not saved/)).toBeDefined()
  void router.navigate({ to: '/account/user-profile' })
  expect(await screen.findByText('Leave without saving?')).toBeDefined()
  expect(router.state.location.pathname).toBe(`${PAGE}/edit/s2`)
})

test('an aim fills the editor, the text says the same, and what is written there comes back', async () => {
  const changes = stubApi(
    { ...world(), [`POST ${BASE}/strategies/`]: () => ({ data: strategyOf('s9'), meta: { version: 4 } }) },
    user,
  )
  openScreen(`${PAGE}/add`)
  fireEvent.click(await screen.findByRole('button', { name: /^Canary/ }))
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Canary')
  fireEvent.click(screen.getByRole('button', { name: 'Edit as text' }))
  const text = await screen.findByLabelText<HTMLTextAreaElement>('Strategy as JSON')
  const written: Record<string, unknown> = JSON.parse(text.value)
  expect(written).toMatchObject({ method: 'static-route', visitorPercent: 5, targets: [{ cdnId: 'b', weight: 1 }] })
  fireEvent.change(text, { target: { value: '{' } })
  fireEvent.click(screen.getByRole('button', { name: 'Fill the form' }))
  expect(await screen.findByText('This is not valid JSON.')).toBeDefined()
  fireEvent.change(text, { target: { value: JSON.stringify({ ...written, vistorPercent: 1 }) } })
  fireEvent.click(screen.getByRole('button', { name: 'Fill the form' }))
  expect((await screen.findByRole('alert')).textContent).toContain('vistorPercent')
  fireEvent.change(text, { target: { value: JSON.stringify({ ...written, visitorPercent: 2 }) } })
  fireEvent.click(screen.getByRole('button', { name: 'Fill the form' }))
  await waitFor(() => expect(screen.queryByLabelText('Strategy as JSON')).toBeNull())
  fireEvent.click(screen.getByRole('button', { name: 'Add strategy' }))
  await waitFor(() => expect(changes.some(({ path }) => path === `${BASE}/strategies/`)).toBe(true))
  expect(changes.find(({ path }) => path === `${BASE}/strategies/`)?.body).toMatchObject({
    name: 'Canary',
    visitorPercent: 2,
    targets: [{ cdnId: 'b', weight: 1 }],
  })
})

test('a synthetic region tells whom it would move, from which CDN to which, before it is saved', async () => {
  const asked: unknown[] = []
  stubApi(
    {
      ...world(),
      [`GET ${BASE}/vsr-rules/`]: () => page([]),
      [`POST ${BASE}/vsr-rules/effect/`]: ({ body }) => {
        asked.push(body)
        return {
          samples: 400,
          looked: 400,
          moved: 50,
          groups: [
            {
              country: 'DE',
              network: 'AS3320',
              samples: 50,
              before: [{ cdnId: 'a', percent: 100 }],
              after: [{ cdnId: 'b', percent: 100 }],
            },
          ],
        }
      },
    },
    user,
  )
  openScreen(`${PAGE}/vsrRule/add`)
  expect(await screen.findByText(/Choose the visitors and a mimicked address/)).toBeDefined()
  expect(asked).toEqual([])
  fireEvent.change(await screen.findByRole('textbox', { name: /Mimicked address/ }), {
    target: { value: '133.11.0.1' },
  })
  expect(await screen.findByText('Moves 12.5% of visitors')).toBeDefined()
  const row = screen.getByText('AS3320').closest('li')
  expect(row?.textContent).toMatch(/Germany.*AS3320.*12\.5%ab$/)
  expect(asked.at(-1)).toMatchObject({ rule: null, mimickedAddress: '133.11.0.1' })
})

test('a synthetic region whose effect cannot be read is still filled in', async () => {
  stubApi(
    {
      ...world(),
      [`GET ${BASE}/vsr-rules/`]: () => page([]),
      [`POST ${BASE}/vsr-rules/effect/`]: () => refusal(400, 20_400),
    },
    user,
  )
  openScreen(`${PAGE}/vsrRule/add`)
  fireEvent.change(await screen.findByRole('textbox', { name: /Mimicked address/ }), {
    target: { value: '133.11.0.1' },
  })
  expect(await screen.findByText('This cannot be shown now')).toBeDefined()
  expect(screen.getByRole<HTMLInputElement>('textbox', { name: /Mimicked address/ }).value).toBe('133.11.0.1')
})

test('the panel tells the answer, every step with its reason, the figures, and what would change it', async () => {
  stubApi(world(), user)
  openScreen(`${PAGE}?why=84.128.10.10`)
  const panel = await screen.findByRole('dialog')
  expect(await within(panel).findByText('Frankfurt am Main, Germany')).toBeDefined()
  expect(within(panel).getByText('Decided by strategy 2, “Europe”: Best latency')).toBeDefined()
  expect(within(panel).getByText('The visitor is not in one of its places.')).toBeDefined()
  expect(within(panel).getByText('1 more strategy was not read, since one before it decided')).toBeDefined()
  expect(within(panel).getByText('Mixed levels')).toBeDefined()
  expect(within(panel).getAllByText('1 finer level passed over')).toHaveLength(2)
  expect(within(panel).getByText(/wins below/).textContent).toBe('Alpha wins below 29 ms. It is at 35 ms now.')
})
