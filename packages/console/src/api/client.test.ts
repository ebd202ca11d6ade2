import { auth, dnsRecords, versions } from '@fairway/contract'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { recordOf } from '../testing/answers.ts'
import { ApiError } from './api-error.ts'
import { api, buildCall } from './client.ts'

const answer = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  vi.stubGlobal(
    'fetch',
    vi.fn(async () => new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers })),
  )

afterEach(() => vi.unstubAllGlobals())

describe('the request of a call', () => {
  test('fills the path and puts the rest of a GET into the query', () => {
    const { url, init } = buildCall(dnsRecords.routes.list, {
      site: 's/1',
      page_size: -1,
      search: 'a b',
      type: undefined,
    })
    expect(url).toBe('/mdns/v2/zones/s%2F1/rrsets/?page_size=-1&search=a+b')
    expect(init.method).toBe('GET')
    expect(init.body).toBeUndefined()
  })

  test('sends JSON for a change, without the path parameters', () => {
    const { url, init } = buildCall(dnsRecords.routes.update, { site: 's1', id: 'r1', ttlSeconds: null })
    expect(url).toBe('/mdns/v2/zones/s1/rrsets/r1/')
    expect(init.body).toBe('{"ttlSeconds":null}')
  })

  test('always carries the header that guards the session cookie', () => {
    expect(buildCall(auth.routes.logout, {}).init.headers).toMatchObject({ 'x-fairway-client': 'console' })
  })

  test('refuses a missing path parameter instead of calling another route', () => {
    expect(() => buildCall(versions.routes.get, { site: 's1', number: '' })).toThrow(TypeError)
  })
})

describe('the answer', () => {
  const login = { email: 'ada@example.com', password: 'x' }

  test('is parsed by the route', async () => {
    answer(200, { customerId: 'u', organizationId: 'o', jwtToken: 't', more: 1 })
    expect(await api(auth.routes.login, login)).toEqual({
      customerId: 'u',
      organizationId: 'o',
      jwtToken: 't',
      next: 'done',
      ticket: null,
      methods: [],
    })
  })

  test('that is an error becomes its code, request id and fields', async () => {
    answer(400, {
      meta: {
        code: 400,
        message: 'invalid-input',
        requestId: 'req-1',
        fields: [{ path: 'email', message: 'validation.email' }],
      },
    })
    const error = await api(auth.routes.login, login).catch((thrown: unknown) => thrown)
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({
      code: 400,
      status: 400,
      requestId: 'req-1',
      fields: [{ path: 'email', message: 'validation.email' }],
    })
  })

  test('of a proxy that is no envelope keeps its status', async () => {
    answer(502, '<html>bad gateway</html>', { 'x-request-id': 'edge-9' })
    await expect(api(auth.routes.login, login)).rejects.toMatchObject({ code: 500, status: 502, requestId: 'edge-9' })
  })

  test('that is not what the contract says is an error, not wrong data on the screen', async () => {
    answer(200, { customerId: 7 })
    await expect(api(auth.routes.login, login)).rejects.toMatchObject({ code: 500, status: 200 })
  })

  test('of a long list is parsed to its last row, with a breath in between, and refused for one that is wrong', async () => {
    const rows = Array.from({ length: 5_000 }, (_, index) => recordOf({ id: `r${index}`, name: `h${index}` }))
    const meta = { total: rows.length, page: 1, pageSize: -1 }
    answer(200, { data: rows.map((row) => ({ ...row, more: 1 })), meta })
    // Stepping forward by itself, the clock says after every look that it is time for others.
    let clock = 0
    const now = vi.spyOn(performance, 'now').mockImplementation(() => (clock += 10))
    let others = 0
    const interval = setInterval(() => others++)
    expect(await api(dnsRecords.routes.list, { site: 's1', page_size: -1 })).toEqual({ data: rows, meta })
    clearInterval(interval)
    expect(others).toBeGreaterThan(1)
    answer(200, { data: rows.with(4_321, { ...rows[0], id: 7 } as never), meta })
    await expect(api(dnsRecords.routes.list, { site: 's1', page_size: -1 })).rejects.toMatchObject({
      code: 500,
      status: 200,
    })
    now.mockRestore()
  })

  test('that never comes is code 0', async () => {
    vi.stubGlobal(
      'fetch',
      vi.fn(async () => {
        throw new TypeError('failed to fetch')
      }),
    )
    await expect(api(auth.routes.login, login)).rejects.toMatchObject({ code: 0 })
  })
})
