import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventStore, type QueryBound, StoreAway } from '@fairway/analytics'
import type { Tx } from '@fairway/platform'
import { inCallTransaction } from './call-transaction.ts'
import { fairStore } from './fair-store.ts'

const settled = () => new Promise((resolve) => setImmediate(resolve))

/** A store whose questions are answered one by one, as the test says. */
function slowStore() {
  const asked: { sql: string; answer(): void; bound: QueryBound | undefined }[] = []
  const query: EventStore['query'] = (sql, _parameters, bound) =>
    new Promise((resolve) => asked.push({ sql, bound, answer: () => resolve([]) }))
  return { asked, store: fairStore({ query } as EventStore, { clickhouseUrl: '' }) }
}
const ask = (store: EventStore, sql: string) => store.query(sql, { organization: sql.slice(0, 1) })

test('one organisation leaves a session of the engine to the others, and waits behind who has less under way', async () => {
  const { asked, store } = slowStore()
  const said = () => asked.map(({ sql }) => sql)
  const answers = ['a1', 'a2', 'a3', 'a4'].map((sql) => ask(store, sql))
  await settled()
  assert.deepEqual(said(), ['a1', 'a2'])
  answers.push(ask(store, 'b1'), ask(store, 'c1'), ask(store, 'c2'))
  await settled()
  assert.deepEqual(said(), ['a1', 'a2', 'b1'], 'and the last session to what is of nobody')
  for (const [nth, next] of [
    [2, 'c1'],
    [0, 'a3'],
    [3, 'c2'],
    [1, 'a4'],
  ] as const) {
    asked[nth]?.answer()
    await settled()
    assert.equal(said().at(-1), next)
  }
  for (const { answer } of asked) answer()
  await Promise.all(answers)
  assert.ok(asked.every(({ bound }) => bound?.seconds === 8))
})

test('a question waits as long for its turn, and is worked on as long, as its caller says', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { asked, store } = slowStore()
  const answers = ['a1', 'a2'].map((sql) => ask(store, sql))
  const short = assert.rejects(ask(store, 'a3'), StoreAway)
  answers.push(store.query('a4', { organization: 'a' }, { seconds: 25 }))
  await settled()
  t.mock.timers.tick(8_000)
  await short
  asked[0]?.answer()
  await settled()
  assert.deepEqual([asked.at(-1)?.sql, asked.at(-1)?.bound], ['a4', { seconds: 25 }])
  for (const { answer } of asked) answer()
  await Promise.all(answers)
})

test('a turn ends with its statement, and what has not begun when its call ends never does', async () => {
  const { asked, store } = slowStore()
  const questions: Promise<unknown>[] = []
  const call = () =>
    inCallTransaction(
      (work) => work({} as Tx),
      async () => {
        for (const sql of ['a1', 'a2', 'a3']) {
          const question = ask(store, sql)
          question.catch(() => {})
          questions.push(question)
        }
      },
    )
  await call()
  await assert.rejects(questions[2] ?? Promise.resolve(), StoreAway)
  void call()
  await settled()
  assert.equal(asked.length, 2, 'who asks again and again has no more under way')
  for (const { answer } of asked.slice(0, 2)) answer()
  await settled()
  const last = ask(store, 'a4')
  await settled()
  assert.equal(asked.at(-1)?.sql, 'a4')
  asked.at(-1)?.answer()
  await last
  await Promise.allSettled(questions)
})
