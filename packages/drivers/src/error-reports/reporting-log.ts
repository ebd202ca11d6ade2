import type { Config, Log, LogFields } from '@fairway/platform'
import type { ErrorReports } from './error-reports.ts'
import { sentryReports } from './sentry.ts'

const NO_TAGS = new Set(['event', 'err', 'source'])

/** The service that the settings name; null without one. */
export function openErrorReports(
  { errorReportsDsn }: Pick<Config, 'errorReportsDsn'>,
  release: string,
): ErrorReports | null {
  return errorReportsDsn === '' ? null : sentryReports(errorReportsDsn, release)
}

/** A log whose errors are told to the service too. */
export function reportingLog(log: Log, source: string, reports: ErrorReports | null): Log {
  if (reports === null) return log
  return {
    debug: (fields) => log.debug(fields),
    info: (fields) => log.info(fields),
    warn: (fields) => log.warn(fields),
    error(fields) {
      log.error(fields)
      const error = fields['err'] instanceof Error ? fields['err'] : null
      reports.report({
        event: fields.event,
        source: typeof fields['source'] === 'string' ? fields['source'] : source,
        error,
        message: error?.message ?? String(fields['message'] ?? fields['reason'] ?? fields.event),
        tags: tagsOf(fields),
        at: new Date(),
      })
    },
    child: (fields) => reportingLog(log.child(fields), source, reports),
  }
}

/** Plain values only: objects may hold what nobody has looked through. */
function tagsOf(fields: LogFields): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) =>
      !NO_TAGS.has(name) && (typeof value === 'string' || typeof value === 'number') ? [[name, String(value)]] : [],
    ),
  )
}
