import assert from 'node:assert/strict'
import crypto from 'node:crypto'
import fs from 'node:fs'
import http from 'node:http'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import S3rver from 's3rver'
import { openStorage, openStored } from './open-storage.ts'
import { appendPieces, piecesEnd, readPieces } from './pieces.ts'
import { NotStored, type Storage, StorageError } from './storage.ts'

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-storage-'))
const bucketServer = new S3rver({
  address: '127.0.0.1',
  port: 0,
  silent: true,
  directory: path.join(folder, 's3'),
  configureBuckets: [{ name: 'large-things', configs: [] }],
})
let settings = { s3Endpoint: '', s3Region: 'us-east-1', s3Key: 'S3RVER:S3RVER', s3KeyFile: '', s3Encryption: '' }

before(async () => {
  fs.mkdirSync(path.join(folder, 's3'))
  const { port } = await bucketServer.run()
  settings = { ...settings, s3Endpoint: `http://127.0.0.1:${port}` }
})
after(async () => {
  await bucketServer.close()
  fs.rmSync(folder, { recursive: true, force: true })
})

const all = async (bytes: AsyncIterable<Buffer>): Promise<Buffer> => {
  const parts: Buffer[] = []
  for await (const part of bytes) parts.push(part)
  return Buffer.concat(parts)
}
const keys = async (storage: Storage, prefix?: string): Promise<string[]> => {
  const found: string[] = []
  for await (const { key } of storage.list(prefix)) found.push(key)
  return found
}
async function* failing(first: Buffer): AsyncGenerator<Buffer> {
  yield first
  throw new RangeError('the source broke off')
}

const PLACES: Record<string, (name: string) => Storage> = {
  'a folder': (name) => openStorage(path.join(folder, 'disk', name), settings),
  'a bucket': (name) => openStorage(`s3://large-things/${name}`, settings),
}

for (const [kind, placeOf] of Object.entries(PLACES))
  describe(`${kind} keeps large things`, () => {
    test('what was put comes back whole and in part, by its name and in order', async () => {
      await using storage = placeOf('whole')
      const bytes = crypto.randomBytes(100_000)
      const stored = await storage.put('b/two.bin', [bytes.subarray(0, 7), bytes.subarray(7)])
      assert.deepEqual([stored.key, stored.bytes], ['b/two.bin', bytes.length])
      assert.ok(Math.abs(stored.changedAt - Date.now()) < 60_000)
      await storage.put('a.bin', [])
      await storage.put('b/Größe 1.txt', [Buffer.from('x')])
      assert.ok((await all(storage.get('b/two.bin'))).equals(bytes))
      assert.ok((await all(storage.get('b/two.bin', { from: 10, to: 20 }))).equals(bytes.subarray(10, 20)))
      assert.ok((await all(storage.get('b/two.bin', { from: 99_990 }))).equals(bytes.subarray(99_990)))
      assert.equal((await all(storage.get('b/two.bin', { from: 5, to: 5 }))).length, 0)
      assert.equal((await all(storage.get('b/two.bin', { from: bytes.length }))).length, 0)
      assert.equal((await storage.head('a.bin'))?.bytes, 0)
      assert.equal((await all(storage.get('a.bin'))).length, 0)
      assert.deepEqual(await keys(storage), ['a.bin', 'b/Größe 1.txt', 'b/two.bin'])
      assert.deepEqual(await keys(storage, 'b/t'), ['b/two.bin'])
      assert.deepEqual(await keys(storage, 'b/'), ['b/Größe 1.txt', 'b/two.bin'])
      assert.deepEqual(await keys(storage, 'none/of/it'), [])
      assert.match(storage.address('a.bin'), /whole\/a\.bin$/)
    })

    test('what is put again takes the place of what was there, and what is deleted is gone, also twice', async () => {
      await using storage = placeOf('again')
      await storage.put('one', [Buffer.from('first')])
      await storage.put('one', [Buffer.from('second')])
      assert.equal(String(await all(storage.get('one'))), 'second')
      await storage.delete('one')
      await storage.delete('one')
      assert.equal(await storage.head('one'), null)
      await assert.rejects(all(storage.get('one')), NotStored)
      assert.deepEqual(await keys(storage), [])
    })

    test('a file grows by appending and goes on after a break, wherever somebody else has written between', async () => {
      await using storage = placeOf('growing')
      const bytes = crypto.randomBytes(20 << 20)
      const half = (9 << 20) + 5
      const ends: number[] = []
      const told = async (_: unknown, end: number) => void ends.push(end)
      const cut = async function* () {
        for (let at = 0; at < half; at += 65_536) yield bytes.subarray(at, Math.min(half, at + 65_536))
        throw new RangeError('the sender is gone')
      }
      assert.equal(await piecesEnd(storage, 'one/'), 0)
      await assert.rejects(appendPieces(storage, 'one/', 0, cut(), told), /the sender is gone/)
      // What was sent before it broke off is there, up to the last byte.
      assert.deepEqual(ends, [8 << 20, half])
      assert.equal(await piecesEnd(storage, 'one/'), half)
      // Two go on from there at once: one leaves a piece within the other's.
      const from = (start: number, end = bytes.length) =>
        (async function* () {
          yield bytes.subarray(start, end)
        })()
      await appendPieces(storage, 'one/', half + 1000, from(half + 1000, half + 3000), told)
      assert.equal(await piecesEnd(storage, 'one/'), half, 'what is not joined to the beginning has not arrived')
      assert.equal(await appendPieces(storage, 'one/', half, from(half), told), bytes.length)
      assert.equal(await piecesEnd(storage, 'one/'), bytes.length)
      assert.ok((await all(readPieces(storage, 'one/'))).equals(bytes))
      assert.equal(await appendPieces(storage, 'one/', bytes.length, from(0, 0), told), bytes.length)
      assert.equal(await piecesEnd(storage, 'two/'), 0)
      // Whoever is told of a piece may end it.
      const refused = appendPieces(storage, 'two/', 0, from(0), async () => {
        throw new RangeError('nobody waits for it')
      })
      await assert.rejects(refused, /nobody waits for it/)
      assert.equal(await piecesEnd(storage, 'two/'), 8 << 20)
    })

    test('what broke off while it was put is not there, what was there before is, and the reason is told as it was', async () => {
      await using storage = placeOf('broken')
      await storage.put('kept', [Buffer.from('before')])
      for (const size of [10, 20 << 20])
        await assert.rejects(storage.put('kept', failing(Buffer.alloc(size))), /the source broke off/)
      assert.equal(String(await all(storage.get('kept'))), 'before')
      assert.deepEqual(await keys(storage), ['kept'])
    })

    test('something larger than a piece passes through', async () => {
      await using storage = placeOf('large')
      const piece = crypto.randomBytes(1 << 20)
      const put = crypto.createHash('sha256')
      async function* pieces() {
        for (let number = 0; number < 40; number++) {
          const part = Buffer.from(piece)
          part.writeUInt32LE(number, 0)
          put.update(part)
          yield part
        }
      }
      assert.equal((await storage.put('forty', pieces())).bytes, 40 << 20)
      const got = crypto.createHash('sha256')
      for await (const part of storage.get('forty')) got.update(part)
      assert.equal(got.digest('hex'), put.digest('hex'))
    })

    test('no name leads out of the place', async () => {
      await using storage = placeOf('inside')
      for (const key of [
        '../out',
        'a/../../out',
        '',
        '/etc/passwd',
        'a//b',
        '.hidden',
        'a\0b',
        'a\\b',
        'x'.repeat(1000),
      ])
        await assert.rejects(storage.put(key, [Buffer.from('x')]), StorageError, key)
    })
  })

test('a folder is swept of what a killed one has left, and of nothing else', async () => {
  const place = path.join(folder, 'swept')
  fs.mkdirSync(place)
  for (const name of ['.fairway-1.partial', '.other.partial', 'fairway-2']) fs.writeFileSync(path.join(place, name), '')
  await using storage = openStorage(place, settings)
  await storage.sweep('fairway-')
  assert.deepEqual(fs.readdirSync(place).sort(), ['.other.partial', 'fairway-2'])
})

test('a bucket that is not there, a wrong key and a service that is away are told in words', async () => {
  const cases: [string, Partial<typeof settings>, RegExp][] = [
    ['s3://no-such-bucket/x', {}, /s3:\/\/no-such-bucket\/x\/one: there is no such bucket/],
    ['s3://large-things', { s3Endpoint: 'http://127.0.0.1:1' }, /ECONNREFUSED/],
    ['s3://large-things', { s3KeyFile: '/nowhere/key' }, /\/nowhere\/key, cannot be read/],
  ]
  for (const [place, other, why] of cases) {
    await using storage = openStorage(place, { ...settings, ...other })
    await assert.rejects(storage.put('one', [Buffer.from('x')]), why)
  }
  assert.throws(() => openStorage('s3://', settings), /is no address of a bucket/)
  assert.throws(() => openStorage('s3://b/x', settings), /is no address of a bucket/)
  assert.throws(() => openStorage('s3://large-things/../x', settings), StorageError)
})

test('what a service refuses is told in words', async () => {
  const cases: [string, number, RegExp][] = [
    ['SignatureDoesNotMatch', 403, /the secret of the key is wrong/],
    ['InvalidAccessKeyId', 403, /does not know the key/],
    ['AccessDenied', 403, /may not do that/],
    ['SomethingElse', 400, /as the service says/],
  ]
  let [code, status] = ['', 0]
  const refusing = http.createServer((request, response) => {
    request.resume()
    response.writeHead(status, { 'content-type': 'application/xml' })
    response.end(`<Error><Code>${code}</Code><Message>as the service says</Message></Error>`)
  })
  await new Promise<void>((resolve) => refusing.listen(0, '127.0.0.1', resolve))
  const { port } = refusing.address() as { port: number }
  try {
    for (const [name, answer, why] of cases) {
      ;[code, status] = [name, answer]
      await using storage = openStorage('s3://large-things', { ...settings, s3Endpoint: `http://127.0.0.1:${port}` })
      await assert.rejects(storage.put('one', [Buffer.from('x')]), why)
      await assert.rejects(all(storage.get('one')), why)
    }
  } finally {
    refusing.closeAllConnections()
    refusing.close()
  }
})

test('the key may be in a file, the service is asked to encrypt, and what breaks off while it is read goes on', async () => {
  const keyFile = path.join(folder, 'key')
  fs.writeFileSync(keyFile, 'S3RVER:S3RVER\nmore\n')
  await using plain = openStorage('s3://large-things/asked', settings)
  const bytes = crypto.randomBytes(3_000_000)
  await plain.put('one', [bytes])
  // Before the service: tells what was asked, and breaks the first answers off.
  const asked: http.IncomingHttpHeaders[] = []
  let breaks = 2
  const between = http.createServer((request, response) => {
    asked.push(request.headers)
    const on = http.request(
      new URL(request.url ?? '', settings.s3Endpoint),
      { method: request.method ?? 'GET', headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        if (request.method !== 'GET' || breaks-- <= 0) return void answer.pipe(response)
        let sent = 0
        answer.on('data', (part: Buffer) => {
          response.write(part)
          sent += part.length
          if (sent > 500_000) response.destroy()
        })
      },
    )
    on.on('error', () => response.destroy())
    request.pipe(on)
  })
  await new Promise<void>((resolve) => between.listen(0, '127.0.0.1', resolve))
  try {
    const { port } = between.address() as { port: number }
    const through = { ...settings, s3Key: '', s3KeyFile: keyFile, s3Endpoint: `http://127.0.0.1:${port}` }
    const { storage, key } = openStored('s3://large-things/asked/one', { ...through, s3Encryption: 'aws:kms:mine' })
    await using _ = storage
    assert.ok((await all(storage.get(key))).equals(bytes))
    assert.ok(breaks < 0)
    await storage.put('two', [Buffer.from('x')])
    const put = asked.find((headers) => headers['x-amz-server-side-encryption'] !== undefined)
    assert.deepEqual(
      [put?.['x-amz-server-side-encryption'], put?.['x-amz-server-side-encryption-aws-kms-key-id']],
      ['aws:kms', 'mine'],
    )
  } finally {
    between.closeAllConnections()
    between.close()
  }
})
