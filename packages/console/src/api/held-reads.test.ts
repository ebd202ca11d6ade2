import { expect, test } from 'vitest'
import { holdReads, mayRead } from './held-reads.ts'

test('while a session is being ended, what needs one waits and what is public is read; then both are read', async () => {
  const release = holdReads()
  let read = false
  const waiting = mayRead({ permission: 'signed-in' }).then(() => (read = true))
  await mayRead({ permission: 'public' })
  expect(read).toBe(false)
  release()
  await waiting
  await mayRead({ permission: 'signed-in' })
  expect(read).toBe(true)
})
