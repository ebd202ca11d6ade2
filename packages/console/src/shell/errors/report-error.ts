import { account } from '@fairway/contract'
import { ApiError } from '../../api/api-error.ts'
import { api } from '../../api/client.ts'

export type ErrorReport = {
  event: 'console-error'
  status: number
  code: number
  requestId: string | null
  message: string
  path: string
  at: string
}

/**
 * What is told of an error that a whole screen failed with: one object, without the query (it may hold what was typed).
 */
export function reportOf(error: unknown, path: string, now: Date): ErrorReport {
  const ofApi = error instanceof ApiError ? error : null
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error)
  return {
    event: 'console-error',
    status: statusOf(error),
    code: ofApi?.code ?? statusOf(error),
    requestId: ofApi?.requestId ?? null,
    message: message.slice(0, 300),
    path,
    at: now.toISOString(),
  }
}

/** The status an error page shows: no answer, and what is not an answer at all, is 500. */
export function statusOf(error: unknown): number {
  return error instanceof ApiError && error.status >= 400 ? error.status : 500
}

const reported = new WeakSet<object>()
let wanted = false

/** Whether the installation has a service that errors are told to, as `/config` says. */
export function wantReports(isWanted: boolean): void {
  wanted = isWanted
}

/**
 * Logs it as structured JSON and tells the installation where that is wanted, each error once however often its page is
 * drawn.
 */
export function reportError(error: unknown): void {
  if (typeof error === 'object' && error !== null) {
    if (reported.has(error)) return
    reported.add(error)
  }
  // A refusal is an answer, not a breakdown.
  if (statusOf(error) < 500) return
  const report = reportOf(error, window.location.pathname, new Date())
  // oxlint-disable-next-line no-console -- The browser's log is where a structured report belongs.
  console.error(JSON.stringify(report))
  if (wanted) void tell(report)
}

async function tell({ status, code, requestId, message, path }: ErrorReport): Promise<void> {
  try {
    await api(account.routes.reportError, { status, code, requestId, message, path: path.slice(0, 300) })
  } catch {
    // A report that gets lost is no second breakdown.
  }
}
