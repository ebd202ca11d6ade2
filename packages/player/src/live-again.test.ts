import assert from 'node:assert/strict'
import { test } from 'node:test'
import { againAfter, firstPlaylist, isOnAir, lookAfter } from './live-again.ts'

test('a stream that cannot be had is asked for after five to ten seconds, then later, and every half minute in the end', () => {
  assert.deepEqual([againAfter(0, 0), againAfter(0, 1)], [5_000, 10_000])
  assert.deepEqual([againAfter(1, 0), againAfter(1, 1)], [10_000, 20_000])
  for (const tries of [3, 10, 5_000]) assert.equal(againAfter(tries, 0.5), 30_000)
  assert.deepEqual([lookAfter(0), lookAfter(1)], [15_000, 30_000])
})

test('on air is what has segments and no end; it is found behind the main playlist, with a token in its path', () => {
  const list = '#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\ns1.m4s\n'
  assert.ok(isOnAir(list))
  assert.ok(!isOnAir(`${list}#EXT-X-ENDLIST\n`))
  assert.ok(!isOnAir('<html>'))
  const main = '#EXTM3U\r\n#EXT-X-STREAM-INF:BANDWIDTH=1\r\n180p.m3u8\r\n#EXT-X-STREAM-INF:BANDWIDTH=2\r\n360p.m3u8\r\n'
  assert.equal(firstPlaylist(main, 'https://a.example/t.o.k/id/master.m3u8'), 'https://a.example/t.o.k/id/180p.m3u8')
  assert.equal(firstPlaylist('', 'https://a.example/'), null)
  assert.equal(firstPlaylist('http://[', 'https://a.example/'), null)
})
