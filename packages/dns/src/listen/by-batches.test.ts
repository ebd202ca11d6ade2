import { byDefault } from '../testing/server-fixture.ts'
import { loadLibc } from '@fairway/platform/lean'

// What is promised of answers, signatures, counts and limits is promised of every transport: the same tests again, with
// datagrams in batches.
if (loadLibc() !== null) {
  byDefault.transport = 'mmsg'
  await import('../answer/static-answers.test.ts')
  await import('../answer/steered-answers.test.ts')
  await import('../answer/edns.test.ts')
  await import('../dnssec/dnssec.test.ts')
  await import('../serving/request-log.test.ts')
  await import('./listen.test.ts')
}
