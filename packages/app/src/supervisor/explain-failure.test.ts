import assert from 'node:assert/strict'
import { test } from 'node:test'
import { explainFailure } from './explain-failure.ts'

const systemError = (fields: object) => Object.assign(new Error('raw'), fields)

test('system failures that a person can mend become sentences that say what to do', () => {
  const table: [object, RegExp][] = [
    [{ code: 'ENOSPC', path: '/data/x' }, /disk that holds \/data\/x is full/],
    [{ code: 'EROFS' }, /read-only disk.*FAIRWAY_HOME/],
    [{ code: 'EACCES', path: '/data/x' }, /Permission denied: \/data\/x.*FAIRWAY_HOME/],
    [{ code: 'EACCES', address: '127.0.0.1', port: 53 }, /127\.0\.0\.1:53.*need root/],
    [{ code: 'EADDRINUSE', address: '127.0.0.1', port: 80 }, /127\.0\.0\.1:80 is already in use/],
  ]
  for (const [fields, expected] of table)
    assert.match(explainFailure(systemError(fields), { home: '/home' }) ?? '', expected)
})

test('the cause counts when the failure was wrapped, and our own mistakes stay mistakes', () => {
  assert.match(
    explainFailure(new Error('outer', { cause: systemError({ code: 'ENOSPC' }) }), { home: '/home' }) ?? '',
    /full/,
  )
  assert.match(
    explainFailure(new Error('initdb: could not write: No space left on device'), { home: '/home' }) ?? '',
    /\/home is full/,
  )
  assert.equal(explainFailure(new TypeError('x is not a function')), null)
})
