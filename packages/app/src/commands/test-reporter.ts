import type { TestEvent } from 'node:test/reporters'

/** A reporter for node:test that writes one JSON object: how many tests passed and failed. Suites are not counted, only what is in them. */
async function* countReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const counts = { passed: 0, failed: 0 }
  for await (const event of events) {
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue
    const isLeaf = event.data.details.type !== 'suite' && event.data.skip === undefined && event.data.todo === undefined
    if (isLeaf) counts[event.type === 'test:pass' ? 'passed' : 'failed']++
  }
  yield JSON.stringify(counts)
}

// node:test loads a reporter by its default export.
export { countReporter as default }
