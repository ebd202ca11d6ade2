import assert from 'node:assert/strict'
import { test } from 'node:test'
import { remembered } from './remembered.ts'

test('one page is one question for a while, also where there is nothing; of many at once a few wait', async () => {
  const asked: string[] = []
  const settle: (() => void)[] = []
  const facts = remembered((key, id) => {
    asked.push(`${key} ${id}`)
    return new Promise((resolve) => settle.push(() => resolve(null)))
  })
  const crowd = Array.from({ length: 5_000 }, (_, index) => facts('k', `${index}`))
  const same = facts('k', '0')
  assert.equal(asked.length, 50)
  const settled = Promise.allSettled([...crowd, same])
  for (const one of settle.splice(0)) one()
  const states = (await settled).map(({ status }) => status)
  assert.equal(states.filter((status) => status === 'fulfilled').length, 51)
  assert.equal(await facts('k', '49'), null)
  assert.equal(asked.length, 50)
})

test('a question that failed is asked again', async () => {
  let times = 0
  const facts = remembered(() => (times++ === 0 ? Promise.reject(new Error('away')) : Promise.resolve(null)))
  await assert.rejects(facts('k', '1'))
  assert.equal(await facts('k', '1'), null)
})
