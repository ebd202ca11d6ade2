import type { InspectionAnswer, InspectionQuestion } from '@fairway/contract'
import { hasHostileEntities, HOSTILE_ENTITIES, isXml, readAs } from '@fairway/domain'
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
    const type = headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? ''
    // As nginx does with a live one.
    const text = bytes.toString('latin1')
    const isDocument = isXml(type) || readAs(type, text, false, () => false)?.as === 'XML'
    if (bytes.length > 0 && isDocument && hasHostileEntities(text))
      findings.push({ ruleId: HOSTILE_ENTITIES, score: 5, variable: 'REQUEST_BODY', matched: '' })
    return { findings, failed: '' }
  } catch (error) {
    return { findings: [], failed: error instanceof Error ? error.message : String(error) }
  }
}
