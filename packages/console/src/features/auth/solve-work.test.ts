import { expect, test } from 'vitest'
import { solveWork } from './solve-work.ts'

const WORK = {
  nonce: '00112233445566778899aabbccddeeff',
  salt: 'ffeeddccbbaa99887766554433221100',
  cost: 10,
  keyPrefix: '',
}

test('the counter that is found gives a key with the prefix, and none before it does', async () => {
  const any = await solveWork(WORK, new AbortController().signal)
  expect(any?.counter).toBe(0)
  expect(any?.derivedKey).toMatch(/^[0-9a-f]{64}$/)
  const found = await solveWork({ ...WORK, keyPrefix: '0' }, new AbortController().signal)
  expect(found?.derivedKey.startsWith('0')).toBe(true)
})

test('work that is given up ends', async () => {
  expect(await solveWork({ ...WORK, keyPrefix: 'nothing' }, AbortSignal.abort())).toBeNull()
})
