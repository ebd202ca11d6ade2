import assert from 'node:assert/strict'
import { test } from 'node:test'
import { emptyLivePlaylist } from '@fairway/domain'
import { Tail } from './tail.ts'

const FOLDER = '180p-1'
const list = { ...emptyLivePlaylist(1), segments: [{ uri: 'a', map: 'm', seconds: 1, at: 0, breaks: false }] }
const open = { map: 'm', at: 1000, breaks: false, parts: [] }
const edge = { partSeconds: 0.33, partCount: 3, finished: [], open, hint: `${FOLDER}/s0000001p1.m4s` }

function tail(): Tail {
  const made = new Tail()
  made.move('180p', { list, edge })
  return made
}
/** Names for which it waits. */
async function awaited(of: Tail, names: readonly string[]): Promise<string[]> {
  const waits = new Set<string>()
  const gone = new AbortController()
  const all = names.map((name) => of.file('180p', FOLDER, name, gone.signal).then(() => waits.delete(name)))
  for (const name of names) waits.add(name)
  await new Promise(setImmediate)
  const found = [...waits]
  gone.abort()
  await Promise.all(all)
  return found
}

test('waited for is what comes soon, by the one name that it has: so few names that a stranger keeps no places', async () => {
  const spellings = [1, 2, 3, 4].flatMap((number) =>
    ['', ...Array.from({ length: 1000 }, (_, index) => `p${index}`), 'p00', 'p01', 'p002'].flatMap((part) =>
      [7, 8, 9].map((digits) => `s${String(number).padStart(digits, '0')}${part}.m4s`),
    ),
  )
  assert.deepEqual((await awaited(tail(), spellings)).toSorted(), [
    's0000001.m4s',
    's0000001p1.m4s',
    's0000001p2.m4s',
    's0000002.m4s',
    's0000002p0.m4s',
    's0000002p1.m4s',
    's0000002p2.m4s',
    's0000003.m4s',
    's0000003p0.m4s',
    's0000003p1.m4s',
    's0000003p2.m4s',
  ])
})

test('whoever asks for files leaves places for who asks for playlists', async () => {
  const one = tail()
  const gone = new AbortController()
  const files = Array.from({ length: 1_000 }, () => one.file('180p', FOLDER, 's0000001p1.m4s', gone.signal))
  const viewer = one.playlist('180p', '_HLS_msn=1&_HLS_part=1', new AbortController().signal)
  one.move('180p', {
    list,
    edge: {
      ...edge,
      open: { ...open, parts: ['p0', 'p1'].map((uri) => ({ uri, seconds: 0.33, isIndependent: true })) },
    },
  })
  assert.equal((await viewer)?.status, 200)
  gone.abort()
  await Promise.all(files)
})
