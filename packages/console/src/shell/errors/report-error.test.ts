import { account } from '@fairway/contract'
import { expect, test, vi } from 'vitest'
import { ApiError } from '../../api/api-error.ts'
import { stubApi } from '../../testing/answers.ts'
import { reportError, reportOf, statusOf, wantReports } from './report-error.ts'

const AT = new Date('2026-11-21T10:00:00Z')

test('a report names status, code and id, and keeps what was typed to itself', () => {
  expect(reportOf(new ApiError(503, 503, 'req-1'), '/home', AT)).toEqual({
    event: 'console-error',
    status: 503,
    code: 503,
    requestId: 'req-1',
    message: 'ApiError: API error 503',
    path: '/home',
    at: '2026-11-21T10:00:00.000Z',
  })
})

test.each([
  [new ApiError(0, 0), 500],
  [new ApiError(403, 403), 403],
  [new Error('x'), 500],
  ['x', 500],
])('%s is shown as %i', (error, status) => {
  expect(statusOf(error)).toBe(status)
})

test('a breakdown is logged once, a refusal not at all', () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const breakdown = new Error('broken')
  reportError(breakdown)
  reportError(breakdown)
  reportError(new ApiError(403, 403))
  expect(log).toHaveBeenCalledTimes(1)
  expect(JSON.parse(String(log.mock.calls[0]?.[0]))).toMatchObject({ event: 'console-error', status: 500 })
  log.mockRestore()
})

test('where the installation wants to know, a breakdown is told to it', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const changes = stubApi({ [`POST ${account.routes.reportError.path}`]: () => ({}) })
  reportError(new Error('untold'))
  wantReports(true)
  reportError(new ApiError(503, 503, 'req-1'))
  await vi.waitFor(() => expect(changes).toHaveLength(1))
  expect(changes[0]?.body).toEqual({
    status: 503,
    code: 503,
    requestId: 'req-1',
    message: 'ApiError: API error 503',
    path: window.location.pathname,
  })
  wantReports(false)
  log.mockRestore()
})
