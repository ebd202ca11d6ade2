import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { expect, test } from 'vitest'
import { accountOf, refusal, stubApi } from '../../testing/answers.ts'
import { openScreen } from '../../testing/open-screen.tsx'
import { domainOf, page } from '../../testing/steering-answers.ts'

const DOMAIN = '/web/v2/sites/s1/domains/d1'
const compiled = (level: string) => ({
  cdns: [
    {
      cdnId: 'a',
      name: 'Alpha',
      series: 1,
      enabled: true,
      problem: null,
      against: [],
      settings: [
        {
          setting: 'compression',
          level,
          reason: level === 'exact' ? null : 'gzipOnly',
          wanted: 'brotli',
          given: 'gzip',
        },
      ],
    },
  ],
})
const world = {
  'GET /web/v2/sites/s1/domains/': () => page([domainOf()]),
  [`POST ${DOMAIN}/compile/`]: ({ body }: { body: unknown }) =>
    compiled(JSON.stringify(body).includes('brotli') ? 'approximate' : 'exact'),
}
const user = accountOf({ permissions: ['ViewSite', 'EditSite'] })

test('what a CDN cannot do is said before it is saved, and only what was changed is sent', async () => {
  const calls = stubApi({ ...world, [`PATCH ${DOMAIN}/`]: () => ({ data: domainOf(), meta: { version: 4 } }) }, user)
  openScreen('/example.com/www.example.com/general-settings')
  expect(await screen.findByText('All exactly')).toBeDefined()
  fireEvent.click(screen.getByRole('radio', { name: 'Brotli first' }))
  expect(await screen.findByText('Knows no Brotli')).toBeDefined()
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  await waitFor(() =>
    expect(calls.find(({ method }) => method === 'PATCH')?.body).toEqual({ settings: { compression: 'brotli' } }),
  )
})

test('WebSocket and the shield stay off where the plan has none, and say why', async () => {
  stubApi(world, user)
  openScreen('/example.com/www.example.com/general-settings')
  expect((await screen.findByRole<HTMLInputElement>('switch', { name: 'WebSocket' })).disabled).toBe(true)
  expect(screen.getAllByText('Not in your plan')).toHaveLength(2)
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Use' }).disabled).toBe(true)
})

test('HTTP/3 and early hints are offered where a node speaks it; elsewhere what is on can be switched off', async () => {
  const seen = async (http3Offered: boolean, http3: boolean) => {
    const domain = domainOf()
    stubApi(
      {
        ...world,
        'GET /web/v2/sites/s1/domains/': () =>
          page([{ ...domain, http3Offered, settings: { ...domain.settings, http3 } }]),
      },
      user,
    )
    openScreen('/example.com/www.example.com/general-settings')
    await screen.findByRole('switch', { name: 'HTTP/2' })
    const names = ['HTTP/3', 'Early hints'].filter((name) => screen.queryByRole('switch', { name }) !== null)
    const isSaid = screen.queryByText('Not available here') !== null
    cleanup()
    return [names.join(), isSaid]
  }
  expect(await seen(true, false)).toEqual(['HTTP/3,Early hints', false])
  expect(await seen(false, false)).toEqual(['', false])
  expect(await seen(false, true)).toEqual(['HTTP/3', true])
})

test('how much a request may bring is said', async () => {
  stubApi({ ...world, 'GET /web/v2/sites/s1/domains/': () => page([{ ...domainOf(), largestRequestMb: 250 }]) }, user)
  openScreen('/example.com/www.example.com/general-settings')
  await screen.findByText('Largest upload')
  expect(screen.getByText('250 MB')).toBeDefined()
})

test("the API's findings stand under the addresses that they are about", async () => {
  const wrong = refusal(400, 400)
  Object.assign((wrong.body as { meta: object }).meta, {
    fields: [{ path: 'origin.address', message: 'validation.bogonIpCheck' }],
  })
  stubApi({ ...world, [`PATCH ${DOMAIN}/`]: () => wrong }, user)
  openScreen('/example.com/www.example.com/origin-protocol')
  fireEvent.change(await screen.findByRole('textbox', { name: 'Address' }), { target: { value: '10.0.0.1' } })
  fireEvent.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('This address is reserved and cannot be reached from the internet')).toBeDefined()
})

test('a test of the origin shows what an edge node saw', async () => {
  const seen = {
    address: '198.41.0.4',
    peer: '198.41.0.4',
    connectMs: 12,
    tls: null,
    firstByteMs: 30,
    status: 301,
    redirectTo: 'https://www.example.com/',
    redirectLoop: true,
    cacheSeconds: null,
    cacheReason: 'silent',
    error: null,
  }
  stubApi(
    {
      ...world,
      [`POST ${DOMAIN}/preflight/`]: () => ({ node: 'edge-1', at: '2026-11-21T10:00:00Z', addresses: [seen] }),
    },
    user,
  )
  openScreen('/example.com/www.example.com/origin-protocol')
  fireEvent.click(await screen.findByRole('button', { name: 'Test now' }))
  expect(await screen.findByText('Redirect loop')).toBeDefined()
  expect(screen.getByText('seen from edge-1')).toBeDefined()
})

test("a form that was left open sends its own change with a colleague's newer one, and takes neither back", async () => {
  let origin = domainOf().origin
  const calls = stubApi(
    {
      ...world,
      'GET /web/v2/sites/s1/domains/': () => page([domainOf({ origin })]),
      [`PATCH ${DOMAIN}/`]: ({ body }: { body: unknown }) => {
        origin = { ...origin, ...(body as { origin: typeof origin }).origin }
        return { data: domainOf({ origin }), meta: { version: 4 } }
      },
    },
    user,
  )
  const { queryClient } = openScreen('/example.com/www.example.com/origin-protocol')
  const address = await screen.findByRole<HTMLInputElement>('textbox', { name: 'Address' })
  origin = { ...origin, address: '198.41.0.9' }
  await queryClient.invalidateQueries()
  await waitFor(() => expect(address.value).toBe('198.41.0.9'))
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull()
  fireEvent.change(screen.getByRole('textbox', { name: 'Host header' }), { target: { value: 'origin.example.com' } })
  fireEvent.click(await screen.findByRole('button', { name: 'Save' }))
  await waitFor(() => expect(calls.some(({ method }) => method === 'PATCH')).toBe(true))
  expect(calls.find(({ method }) => method === 'PATCH')?.body).toMatchObject({
    origin: { address: '198.41.0.9', hostHeader: 'origin.example.com' },
  })
})
