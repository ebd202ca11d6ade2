import path from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { CHECKOUT } from './checkout.ts'
import type { Outcome } from './test-outcome.ts'

/**
 * A reporter for node:test that writes one JSON object, the {@link Outcome} of the run. Suites are not counted, only
 * what is in them.
 */
async function* outcomeReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const outcome: Outcome = { passed: 0, failures: [], timings: [] }
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const isLeaf = event.data.details.type !== 'suite' && event.data.skip === undefined && event.data.todo === undefined
    if (!isLeaf) continue
    const file = event.data.file ? path.relative(CHECKOUT, event.data.file) : ''
    outcome.timings.push({ file, name: event.data.name, ms: event.data.details.duration_ms })
    if (event.type === 'test:pass') outcome.passed++
    else
      outcome.failures.push({
        file,
        name: event.data.name,
        said: inspect(event.data.details.error.cause ?? event.data.details.error),
      })
  }
  yield JSON.stringify(outcome)
}

// node:test loads a reporter by its default export.
export { outcomeReporter as default }
