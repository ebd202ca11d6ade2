import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page, platforms } from '../../testing/steering-answers.ts'
import { SAMPLE_VISITORS } from '../why/sample-visitors.ts'

const CHANGED_AT = Date.parse('2026-11-21T10:00:00Z')
const operator = accountOf({
  isOperator: true,
  gameDay: true,
  permissions: ['ViewSite', 'EditSite', 'ViewPerformancePolicy', 'ViewAuditLog'],
})
const simulated = (mode: 'up' | 'down') =>
  page([{ cdnId: 'a', name: 'Alpha', series: 1, address: '127.0.0.11', fault: { mode }, version: 2, live: true }])

/** Answers of all watched visitors, one picture after the other. */
const answers = (pictures: { at: number; cdnId: string }[]) => {
  let next = 0
  return () => {
    const { at, cdnId } = pictures[Math.min(next++, pictures.length - 1)] ?? { at: 0, cdnId: 'a' }
    return {
      name: 'www.example.com',
      node: 'dns-1',
      by: 'dns-node',
      decidedAt: at,
      answers: Object.values(SAMPLE_VISITORS).map((client) => ({
        client,
        cdnId,
        shares: [{ cdnId, percent: 100 }],
        strategyId: null,
      })),
    }
  }
}
const world = (mode: 'up' | 'down', many = answers([{ at: CHANGED_AT - 500, cdnId: 'a' }])) => ({
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  'GET /web/v2/platforms/': () => platforms,
  'GET /sim/v2/cdns/': () => simulated(mode),
  'GET /audit/v2/log/': () =>
    page([
      {
        id: '1',
        at: new Date(CHANGED_AT).toISOString(),
        action: 'simulatedCdn.set',
        user: 'Ada',
        ip: null,
        source: 'console',
        siteId: null,
        siteName: null,
        impostor: null,
        changeCount: 1,
        domain: null,
        version: null,
        changes: [{ entity: 'simulated-cdn', id: 'a', label: 'Alpha', before: null, after: { fault: { mode } } }],
      },
    ]),
  'POST /decisive/v2/sites/s1/domains/d1/simulate-many/': many,
  'GET /analytics/v2/sites/s1/dem/decisions/': () => ({
    intervalSeconds: 10,
    answers: [],
    totals: [],
    countries: [],
    marks: [],
  }),
})

test('the stopwatch runs from the recorded fault to the first answer without the CDN', async () => {
  stubApi(
    world(
      'down',
      answers([
        { at: CHANGED_AT - 500, cdnId: 'a' },
        { at: CHANGED_AT + 1100, cdnId: 'b' },
      ]),
    ),
    operator,
  )
  openScreen('/game-day')
  expect(await screen.findByText('1.1 sec')).toBeDefined()
  const watched = Object.keys(SAMPLE_VISITORS).length
  expect(screen.getByText(`Visitors moved: ${watched} of ${watched}`)).toBeDefined()
})

test('while every visitor still has the CDN, nothing is claimed', async () => {
  stubApi(
    world(
      'down',
      answers([
        { at: CHANGED_AT - 500, cdnId: 'a' },
        { at: CHANGED_AT + 400, cdnId: 'a' },
      ]),
    ),
    operator,
  )
  openScreen('/game-day')
  expect(await screen.findByText(/^Visitors moved: 0 of/)).toBeDefined()
  expect(screen.getByText('…')).toBeDefined()
})

test('a click on Down sets the fault', async () => {
  const changes = stubApi({ ...world('up'), 'PUT /sim/v2/cdns/a/': () => simulated('down').data[0] }, operator)
  openScreen('/game-day')
  fireEvent.click(
    within(await screen.findByRole('radiogroup', { name: 'Fault of Alpha' })).getByRole('radio', { name: 'Down' }),
  )
  await waitFor(() =>
    expect(changes.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { fault: { mode: 'down' } },
    ]),
  )
})

test('who is not the operator watches only, and is told why', async () => {
  stubApi(world('up'), { ...operator, isOperator: false })
  openScreen('/game-day')
  const faults = await screen.findByRole('radiogroup', { name: 'Fault of Alpha' })
  expect(
    within(faults)
      .getAllByRole<HTMLInputElement>('radio')
      .every(({ disabled }) => disabled),
  ).toBe(true)
  expect(screen.getByText('Only the operator of the installation may set faults. You can watch.')).toBeDefined()
})

test('an installation without a game day says so', async () => {
  stubApi(world('up'), { ...operator, gameDay: false })
  openScreen('/game-day')
  expect(await screen.findByText('This installation has no game day')).toBeDefined()
})
