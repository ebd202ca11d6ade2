import assert from 'node:assert/strict'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { loadConfig, makeLog } from '@fairway/platform'
import type { ErrorReports } from './error-reports.ts'
import { openErrorReports, reportingLog } from './reporting-log.ts'

type Event = {
  exception: {
    values: {
      type: string
      value: string
      stacktrace?: { frames: { function: string; filename: string; lineno: number }[] }
    }[]
  }
  tags: Record<string, string>
  logger: string
  release: string
  event_id: string
}
const received: { path: string; auth: string; lines: [Record<string, string>, Record<string, string>, Event] }[] = []
let status = 200
let server: http.Server
let dsn = ''
before(async () => {
  server = http.createServer((request, response) => {
    let text = ''
    request
      .setEncoding('utf8')
      .on('data', (chunk: string) => (text += chunk))
      .on('end', () => {
        received.push({
          path: request.url ?? '',
          auth: String(request.headers['x-sentry-auth']),
          lines: text.split('\n').map((line) => JSON.parse(line) as unknown) as never,
        })
        response.writeHead(status, status === 429 ? { 'retry-after': '60' } : {}).end('{}')
      })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  dsn = `http://abc123@127.0.0.1:${(server.address() as AddressInfo).port}/sub/42`
})
after(() => void server.close())

const quiet = () =>
  Object.assign(makeLog('api', loadConfig({ FAIRWAY_HOME: '/nowhere', FAIRWAY_LOG_LEVEL: 'error' })), {
    error: () => {},
  })
const opened = (to = dsn): ErrorReports => openErrorReports({ errorReportsDsn: to }, '9.9') ?? assert.fail()

test('an error of the log arrives as an envelope: where it broke, what it was about, and no secret', async () => {
  received.length = 0
  const reports = opened()
  const log = reportingLog(quiet(), 'api', reports)
  log.info({ event: 'fine' })
  log.child({ site: 's' }).error({
    event: 'request.failed',
    requestId: 'r1',
    url: '/x/?token=abcdefgh',
    body: { password: 'hunter22' },
    err: new TypeError('cannot sign in with password=hunter22'),
  })
  await reports.flush()
  assert.equal(received.length, 1)
  const [
    {
      path,
      auth,
      lines: [head, item, event],
    },
  ] = received as [(typeof received)[number]]
  assert.deepEqual(
    [path, item['type'], head['event_id'] === event.event_id, event.logger, event.release],
    ['/sub/api/42/envelope/', 'event', true, 'api', 'fairway@9.9'],
  )
  assert.match(auth, /^Sentry sentry_version=7, .*sentry_key=abc123$/)
  const [exception] = event.exception.values
  assert.deepEqual([exception?.type, exception?.value], ['TypeError', 'cannot sign in with password=[redacted]'])
  assert.ok(exception?.stacktrace?.frames.at(-1)?.filename.endsWith('error-reports.test.ts'))
  assert.deepEqual(event.tags, { requestId: 'r1', url: '/x/?token=[redacted]' })
  assert.ok(!JSON.stringify(received).includes('hunter22'))
})

test('what repeats is told once a minute, and a service that has enough is left alone', async () => {
  received.length = 0
  const reports = opened()
  const log = reportingLog(quiet(), 'worker', reports)
  for (let again = 0; again < 3; again++) log.error({ event: 'outbox.failed', err: new Error('away') })
  await reports.flush()
  assert.equal(received.length, 1)
  status = 429
  log.error({ event: 'other.failed' })
  await reports.flush()
  log.error({ event: 'third.failed' })
  await reports.flush()
  assert.equal(received.length, 2)
  status = 200
})

test('without a setting nothing is sent, one that is no DSN is refused, and a service that is away holds nothing up', async () => {
  assert.equal(openErrorReports({ errorReportsDsn: '' }, '1'), null)
  assert.throws(() => opened('https://errors.example.com/1'), /no DSN/)
  const reports = opened('http://k@127.0.0.1:1/1')
  reportingLog(quiet(), 'api', reports).error({ event: 'x.failed' })
  await reports.flush()
})
