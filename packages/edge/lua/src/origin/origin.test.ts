import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hopHeaders } from './connection-headers.ts'
import { bodyLength, finalHead, isPersistent } from './head.ts'
import { isLooping } from './loop.ts'
import { arranged, originOrder } from './order.ts'
import { holdsInBothWorlds, type Table } from '../testing/both-worlds.ts'

const head = (status: number, ...fields: [string, string][]) => ({
  minor: 1 as const,
  status,
  fields: fields.map(([name, value]) => ({ name, value })),
  rest: '',
})

const TABLES: Table[] = [
  ['origin.connection-headers', 'hopHeaders', hopHeaders, [['what is named', ['close, X-Secret, Host'], ['x-secret']]]],
  [
    'origin.order',
    'arranged',
    arranged,
    [
      ['in turn', [['a', 'b', 'c'], 'round-robin', 4, ''], ['b', 'c', 'a']],
      ['as written', [['a', 'b', 'c'], 'failover', 4, 'x'], ['a', 'b', 'c']],
      [
        'by visitor',
        [['192.0.2.1', '192.0.2.2', '192.0.2.3'], 'ip-hash', 0, '203.0.113.9'],
        arranged(['192.0.2.1', '192.0.2.2', '192.0.2.3'], 'ip-hash', 0, '203.0.113.9'),
      ],
    ],
  ],
  [
    'origin.loop',
    'isLooping',
    isLooping,
    [
      ['nothing', [''], false],
      ['others', ['cdn-a, cdn-b; x=1, cdn-a'], false],
      ['twice', ['fairway, fairway'], false],
      ['three times', ['fairway, other, Fairway; a=b , fairway'], true],
    ],
  ],
  [
    'origin.head',
    'finalHead',
    finalHead,
    [
      [
        'an answer',
        ['HTTP/1.1 200 OK\r\nA: b\r\nA:c \r\n\r\nrest'],
        {
          minor: 1,
          status: 200,
          fields: [
            { name: 'a', value: 'b' },
            { name: 'a', value: 'c' },
          ],
          rest: 'rest',
        },
      ],
      [
        'with lines that end without CR',
        ['HTTP/1.1 200\nA: b\n\nrest'],
        { minor: 1, status: 200, fields: [{ name: 'a', value: 'b' }], rest: 'rest' },
      ],
      [
        'with a line that is no field',
        ['HTTP/1.1 200 OK\r\nnothing\r\nA: b\r\n\r\n'],
        { minor: 1, status: 200, fields: [{ name: 'a', value: 'b' }], rest: '' },
      ],
      ['with CR inside a line', ['HTTP/1.1 200 OK\r\nA: b\rc\r\n\r\n'], 'invalid'],
      [
        'behind interim ones',
        ['HTTP/1.1 103 Early Hints\r\nLink: x\r\n\r\nHTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 404\r\nA: b\r\n\r\n'],
        { minor: 0, status: 404, fields: [{ name: 'a', value: 'b' }], rest: '' },
      ],
      ['not all there', ['HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 200 OK\r\n'], undefined],
      ['hardly there', ['HT'], undefined],
      ['no HTTP', ['<html>'], 'invalid'],
      ['another protocol', ['HTTP/1.1 101 Switching\r\n\r\n'], 'invalid'],
      ['a status that is none', ['HTTP/1.1 abc\r\n\r\n'], 'invalid'],
      ['a status of four digits', ['HTTP/1.1 2000 OK\r\n\r\n'], 'invalid'],
      ['a folded line', ['HTTP/1.1 200 OK\r\nA: b\r\n c\r\n\r\n'], 'invalid'],
      ['interim answers without end', ['HTTP/1.1 103 x\r\n\r\n'.repeat(40)], 'invalid'],
    ],
  ],
  [
    'origin.head',
    'bodyLength',
    bodyLength,
    [
      ['a length', [head(200, ['content-length', '12']), 'GET'], 12],
      ['the same twice', [head(200, ['content-length', '12'], ['content-length', '12']), 'GET'], 12],
      ['two that differ', [head(200, ['content-length', '12'], ['content-length', '13']), 'GET'], 'invalid'],
      ['no number', [head(200, ['content-length', '1x']), 'GET'], 'invalid'],
      ['chunks', [head(200, ['transfer-encoding', 'Chunked'], ['content-length', '3']), 'GET'], 'chunked'],
      ['another coding', [head(200, ['transfer-encoding', 'gzip, chunked']), 'GET'], 'invalid'],
      ['until the end', [head(200, ['a', 'b']), 'GET'], 'close'],
      ['HEAD', [head(200, ['content-length', '12']), 'HEAD'], 0],
      ['304', [head(304, ['content-length', '12']), 'GET'], 0],
    ],
  ],
  [
    'origin.head',
    'isPersistent',
    isPersistent,
    [
      ['nothing said', [head(200, ['a', 'b'])], true],
      ['the end, among other things', [head(200, ['connection', 'X-Hop , Close'])], false],
      ['HTTP/1.0', [{ ...head(200, ['a', 'b']), minor: 0 }], false],
    ],
  ],
]

describe('how an origin is asked is decided', () => {
  holdsInBothWorlds(TABLES)

  it('which address of an origin is tried first', () => {
    const names = (name: string) => (name === 'two.test' ? ['192.0.2.3', '192.0.2.1'] : undefined)
    const order = (addresses: string[], failed: string[] = [], fallback = '') =>
      originOrder(addresses, fallback, 'failover', 0, '', names, (address) => failed.includes(address))
    assert.deepEqual(order(['192.0.2.1', '192.0.2.2']), ['192.0.2.1', '192.0.2.2'])
    assert.deepEqual(order(['192.0.2.1', '192.0.2.2'], ['192.0.2.1']), ['192.0.2.2', '192.0.2.1'])
    assert.deepEqual(order(['192.0.2.1', 'two.test', 'gone.test']), ['192.0.2.1', '192.0.2.3'])
    assert.deepEqual(order(['two.test'], ['192.0.2.1', '192.0.2.3']), ['192.0.2.3', '192.0.2.1'])
    assert.deepEqual(order(['gone.test']), [])
    assert.deepEqual(order(['192.0.2.1'], [], 'two.test'), ['192.0.2.1', '192.0.2.3'])
    assert.deepEqual(order(['192.0.2.1'], ['192.0.2.1'], '192.0.2.9'), ['192.0.2.9', '192.0.2.1'])
  })

  it('which address each visitor gets by a hash: evenly, always the same, and only those of a dead one move', () => {
    const peers = ['192.0.2.1', '192.0.2.2', '192.0.2.3']
    const visitors = Array.from({ length: 3000 }, (_, i) => `203.0.${Math.floor(i / 250)}.${i % 250}`)
    const first = (of: string[]) => visitors.map((visitor) => arranged(of, 'ip-hash', 0, visitor)[0])
    const all = first(peers)
    for (const peer of peers)
      assert.ok(
        Math.abs(all.filter((one) => one === peer).length - 1000) < 150,
        `${peer}: ${all.filter((one) => one === peer).length}`,
      )
    const without = first(peers.slice(0, 2))
    for (const [i, peer] of all.entries()) if (peer !== '192.0.2.3') assert.equal(without[i], peer)
  })
})
