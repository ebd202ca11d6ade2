import type { TestEvent } from 'node:test/reporters'
import { inspect } from 'node:util'
import { type Outcome, WHOLE_FILE } from './test-outcome.ts'
import { filesBehind } from './test-processes.ts'

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
    const { file: at = '', name, details } = event.data
    for (const { file, isWhole } of filesBehind(at, name)) {
      if (!isWhole) outcome.timings.push({ file, name, ms: details.duration_ms })
      if (event.type === 'test:pass') outcome.passed++
      else {
        const { error } = event.data.details
        outcome.failures.push({ file, name: isWhole ? WHOLE_FILE : name, said: inspect(error.cause ?? error) })
      }
    }
  }
  yield JSON.stringify(outcome)
}

// node:test loads a reporter by its default export.
export { outcomeReporter as default }
