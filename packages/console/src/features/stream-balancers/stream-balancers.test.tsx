import { fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import type { Balancer, BalancerInput } from '@fairway/contract'
import { accountOf, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { page, platforms } from '../../testing/steering-answers.ts'

const PLAN = { id: 'p', name: 'Enterprise', ability: ['multiCdn.enable' as const, 'vsp.enable' as const] }
const editor = accountOf({ plan: PLAN })
const balancer: Balancer = {
  isOn: true,
  mode: 'weights',
  entries: [
    {
      pathway: 'a',
      cdnId: 'a',
      host: 'k.a.stream.localhost',
      name: 'Alpha',
      siteName: null,
      weight: 75,
      enabled: true,
      state: 'completed',
      health: 'up',
    },
    {
      pathway: 'video.other.example',
      cdnId: null,
      host: 'video.other.example',
      name: 'video.other.example',
      siteName: null,
      weight: 25,
      enabled: true,
      state: 'in-progress',
      health: 'unknown',
    },
  ],
  ttlSeconds: 10,
  serverUrl: 'https://collector.example/steer/1',
  choices: [{ cdnId: 'a', name: 'Alpha', host: 'k.a.stream.localhost' }],
  limit: 10,
}
const world = {
  'GET /web/v2/platforms/': () => platforms,
  'GET /vsp/v2/assets/': () => ({ ...page([]), limit: 1024, canEncode: true }),
  'GET /vsp/v2/balancers/assets/': () => balancer,
  'POST /vsp/v2/balancers/assets/simulate/': () => ({
    sessions: 1000,
    shares: [
      { pathway: 'a', sessions: 750, percent: 75 },
      { pathway: 'video.other.example', sessions: 250, percent: 25 },
    ],
    visitor: null,
    measuredAt: null,
  }),
}

async function openTab() {
  openScreen('/stream/assets')
  fireEvent.click(await screen.findByRole('tab', { name: 'CDN Loadbalancer' }))
  await screen.findByRole('switch', { name: 'Steer players' })
}

test('weights become shares while they are typed, and are saved whole without the names that we give', async () => {
  const calls = stubApi({ ...world, 'PUT /vsp/v2/balancers/assets/': () => balancer }, editor)
  await openTab()
  fireEvent.change(await screen.findByLabelText('Weight of Alpha'), { target: { value: '25' } })
  expect((await screen.findAllByText('50%')).length).toBeGreaterThanOrEqual(2)
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(calls.some(({ method }) => method === 'PUT')).toBe(true))
  const sent = calls.find(({ method }) => method === 'PUT')?.body as BalancerInput
  expect(sent.entries).toEqual([
    { cdnId: 'a', host: null, weight: 25, enabled: true },
    { cdnId: null, host: 'video.other.example', weight: 25, enabled: true },
  ])
})

test('what was saved is what the next change is made upon, and Undo too, before anything is read again', async () => {
  const light = {
    ...balancer,
    entries: balancer.entries.map((one) => (one.cdnId === 'a' ? { ...one, weight: 25 } : one)),
  }
  let reads = 0
  const calls = stubApi(
    {
      ...world,
      'GET /vsp/v2/balancers/assets/': () => (reads++ === 0 ? balancer : new Promise(() => {})),
      'PUT /vsp/v2/balancers/assets/': ({ body }) =>
        (body as BalancerInput).entries[0]?.weight === 25 ? { ...light, mode: (body as BalancerInput).mode } : balancer,
    },
    editor,
  )
  await openTab()
  fireEvent.change(await screen.findByLabelText('Weight of Alpha'), { target: { value: '25' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  const undo = await screen.findByRole('button', { name: 'Undo' })
  expect(screen.getByLabelText<HTMLInputElement>('Weight of Alpha').value).toBe('25')
  fireEvent.click(screen.getByRole('switch', { name: 'Use video.other.example' }))
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() => expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(2))
  const sent = calls.findLast(({ method }) => method === 'PUT')?.body as BalancerInput
  expect(sent.entries.map(({ weight }) => weight)).toEqual([25, 25])
  fireEvent.click(undo)
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('Weight of Alpha').value).toBe('75'))
})

test('the last CDN that is switched on stays on, and the effect is shown before anything is saved', async () => {
  stubApi(world, editor)
  await openTab()
  expect(await screen.findByText('750')).toBeDefined()
  fireEvent.click(screen.getByRole('switch', { name: 'Use video.other.example' }))
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Use Alpha' }).disabled).toBe(true)
})

test('what is no decision, session or address is not asked', async () => {
  const calls = stubApi(world, editor)
  await openTab()
  fireEvent.change(screen.getByRole('textbox', { name: /Decision, session or address/ }), { target: { value: 'x' } })
  fireEvent.click(screen.getByRole('button', { name: 'Ask' }))
  expect(await screen.findByText(/Enter the number of a decision/)).toBeDefined()
  expect(calls.some(({ path }) => path.includes('/why/'))).toBe(false)
})

test('who may only look changes nothing', async () => {
  stubApi(world, accountOf({ plan: PLAN, permissions: ['ViewSite'] }))
  await openTab()
  expect(screen.getByRole<HTMLInputElement>('switch', { name: 'Steer players' }).disabled).toBe(true)
  expect(screen.queryByRole('button', { name: 'Add CDN' })).toBeNull()
})
