import crypto from 'node:crypto'
import os from 'node:os'
import { redact } from '@fairway/domain'
import type { ErrorReport, ErrorReports } from './error-reports.ts'

const PATIENCE_MS = 3_000
/** A fault that repeats fills the log, not the service. */
const MOST_A_MINUTE = 30
const MINUTE_MS = 60_000
const LONGEST = 2_000

/**
 * Sends events to a service that takes Sentry's envelopes
 * (https://develop.sentry.dev/sdk/foundations/transport/envelopes/). @throws Error when the address is no DSN
 */
export function sentryReports(dsn: string, release: string): ErrorReports {
  const { url, key } = endpointOf(dsn)
  const sending = new Set<Promise<void>>()
  const sent = new Map<string, number>()
  let pausedUntil = 0
  const mayTell = ({ event, message }: ErrorReport, now: number): boolean => {
    for (const [what, at] of sent) if (now - at >= MINUTE_MS) sent.delete(what)
    const what = `${event} ${message}`
    if (now < pausedUntil || sent.has(what) || sent.size >= MOST_A_MINUTE) return false
    sent.set(what, now)
    return true
  }
  const send = async (report: ErrorReport): Promise<void> => {
    const headers = {
      'content-type': 'application/x-sentry-envelope',
      'x-sentry-auth': `Sentry sentry_version=7, sentry_client=fairway/${release}, sentry_key=${key}`,
    }
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body: envelopeOf(report, release),
      signal: AbortSignal.timeout(PATIENCE_MS),
      redirect: 'error',
    })
    await response.arrayBuffer()
    if (response.status === 429) pausedUntil = Date.now() + 1000 * (Number(response.headers.get('retry-after')) || 60)
  }
  return {
    report(report) {
      if (!mayTell(report, Date.now())) return
      // What cannot be delivered is in the log; telling of it here would only go in circles.
      const one = send(report)
        .catch(() => {})
        .finally(() => sending.delete(one))
      sending.add(one)
    },
    flush: async () => void (await Promise.all(sending)),
  }
}

/** `https://<key>@<host>/<path>/<project>` */
function endpointOf(dsn: string): { url: string; key: string } {
  const { protocol, host, pathname, username } = new URL(dsn)
  const [, folder, project] = /^(.*)\/(\d+)$/.exec(pathname) ?? []
  if (!username || project === undefined) throw new Error('no DSN: it must be like https://key@errors.example.com/1')
  return { url: `${protocol}//${host}${folder}/api/${project}/envelope/`, key: username }
}

function envelopeOf({ event, source, error, message, tags, at }: ErrorReport, release: string): string {
  const id = crypto.randomUUID().replaceAll('-', '')
  const value = redact(error?.message ?? message).slice(0, LONGEST)
  const body = {
    event_id: id,
    timestamp: at.getTime() / 1000,
    platform: source === 'console' ? 'javascript' : 'node',
    level: 'error',
    logger: source,
    release: `fairway@${release}`,
    server_name: os.hostname(),
    transaction: event,
    fingerprint: [event, error?.name ?? 'message', value.replaceAll(/\d+/g, '#')],
    tags: Object.fromEntries(Object.entries(tags).map(([name, text]) => [name, redact(text).slice(0, 200)])),
    exception: {
      values: [
        {
          type: error?.name ?? event,
          value,
          ...(error?.stack ? { stacktrace: { frames: framesOf(error.stack) } } : {}),
        },
      ],
    },
  }
  return [{ event_id: id, sent_at: at.toISOString() }, { type: 'event', content_type: 'application/json' }, body]
    .map((line) => JSON.stringify(line))
    .join('\n')
}

/** Frames of V8's text, the innermost last as the protocol wants it. */
function framesOf(
  stack: string,
): { function: string; filename: string; lineno: number; colno: number; in_app: boolean }[] {
  return stack
    .split('\n')
    .flatMap((line) => {
      const [, name = '<anonymous>', filename, lineno, colno] =
        /^\s+at (?:(.+) \()?(.+?):(\d+):(\d+)\)?$/.exec(line) ?? []
      return filename === undefined
        ? []
        : [
            {
              function: name,
              filename,
              lineno: Number(lineno),
              colno: Number(colno),
              in_app: !filename.includes('node_modules') && !filename.startsWith('node:'),
            },
          ]
    })
    .reverse()
}
