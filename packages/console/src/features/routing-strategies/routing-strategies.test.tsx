import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { cdnOf, domainOf, explanation, page, platforms, strategyOf } from '../../testing/steering-answers.ts'

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
