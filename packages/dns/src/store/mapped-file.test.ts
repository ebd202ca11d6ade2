import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { loadLibc } from '@fairway/platform/lean'
import { mapFile, mapTwo } from './mapped-file.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mapped-'))
after(() => fs.rmSync(folder, { recursive: true }))
const fileOf = (name: string, content: Uint8Array) => {
  const file = path.join(folder, name)
  fs.writeFileSync(file, content)
  return file
}
const mappings = (file: string) =>
  fs
    .readFileSync('/proc/self/maps', 'utf8')
    .split('\n')
    .filter((line) => line.includes(file)).length

for (const [name, libc] of [
  ['mapped', loadLibc()],
  ['read', null],
] as const) {
  test(
    `a file that is ${name} has its bytes, also when it is taken away, and an empty one has none`,
    { skip: name === 'mapped' && libc === null },
    () => {
      const content = Uint8Array.from({ length: 100_003 }, (_, i) => i % 251)
      const file = fileOf(`${name}.bin`, content)
      const bytes = mapFile(file, libc)
      fs.rmSync(file)
      assert.deepEqual(Buffer.from(bytes), Buffer.from(content))
      assert.equal(bytes.byteOffset % 4, 0)
      assert.equal(mapFile(fileOf('empty.bin', new Uint8Array(0)), libc).length, 0)
      assert.throws(() => mapFile(path.join(folder, 'nothing'), libc), { code: 'ENOENT' })
    },
  )
}

for (const [name, libc] of [
  ['mapped', loadLibc()],
  ['read', null],
] as const)
  test(`two files that are ${name} are one behind the other`, { skip: name === 'mapped' && libc === null }, () => {
    const files = {
      first: fileOf(`${name}-first.bin`, new Uint8Array(70_001).fill(1)),
      second: fileOf(
        `${name}-second.bin`,
        Uint8Array.from({ length: 9_000 }, (_, i) => i % 251),
      ),
    }
    const { bytes, firstBytes, secondAt } = mapTwo(files, () => 131_072, libc)
    assert.equal(mappings(files.first), name === 'mapped' ? 1 : 0)
    assert.deepEqual([firstBytes, secondAt, bytes.length], [70_001, 131_072, 140_072])
    assert.deepEqual(Buffer.from(bytes.subarray(0, 70_001)), Buffer.alloc(70_001, 1))
    assert.deepEqual(Buffer.from(bytes.subarray(70_001, 131_072)), Buffer.alloc(61_071))
    assert.deepEqual(Buffer.from(bytes.subarray(131_072)), fs.readFileSync(files.second))
    assert.throws(() => mapTwo({ ...files, second: path.join(folder, 'nothing') }, () => 131_072, libc), {
      code: 'ENOENT',
    })
  })

test('a mapping goes when nobody has a view of it any more', { skip: loadLibc() === null }, async () => {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const file = fileOf('gone.bin', new Uint8Array(50_000).fill(7))
  const views = [mapFile(file).subarray(10, 20)]
  collect()
  await delay(20)
  assert.equal(mappings(file), 1)
  assert.equal(views[0]?.[0], 7)
  views.length = 0
  for (let i = 0; i < 50 && mappings(file) > 0; i++) {
    collect()
    await delay(20)
  }
  assert.equal(mappings(file), 0)
})

test('where there are as many mappings as may be, a file is read', { skip: loadLibc() === null }, () => {
  const file = fileOf('beyond.bin', new Uint8Array(50_000).fill(3))
  const bytes = mapFile(file, loadLibc(), 0)
  assert.equal(mappings(file), 0)
  assert.deepEqual(Buffer.from(bytes), Buffer.alloc(50_000, 3))
})
