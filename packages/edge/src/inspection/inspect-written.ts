import type { InspectionAnswer, InspectionQuestion } from '@fairway/contract'
import type { Inspector } from './inspector.ts'

/** Holds a request that somebody wrote down against the rule set. Never throws: why it cannot is part of the answer. */
export async function inspectWritten(
  inspector: Inspector,
  { scope, level, method, target, headers, body }: InspectionQuestion,
): Promise<InspectionAnswer> {
  // Asked for before the first domain needs it.
  inspector.want()
  try {
    const bytes = Buffer.from(body, 'base64')
    const findings = await inspector.inspect(scope, level, { method, target, headers, body: bytes })
    return { findings, failed: '' }
  } catch (error) {
    return { findings: [], failed: error instanceof Error ? error.message : String(error) }
  }
}
