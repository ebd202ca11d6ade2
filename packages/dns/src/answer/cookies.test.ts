import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Peer } from '../wire/peer.ts'
import { SipHash } from '../wire/siphash.ts'
import { Cookies } from './cookies.ts'

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

test('the hash is that of its authors, for every length', () => {
  const key = Uint8Array.from({ length: 16 }, (_, i) => i)
  const expected: Record<number, string> = {
    0: '310e0edd47db6f72',
    1: 'fd67dc93c539f874',
    7: '37d1018bf50002ab',
    8: '6224939a79f5f593',
    15: 'e545be4961ca29a1',
    63: '724506eb4c328a95',
  }
  for (const [length, hash] of Object.entries(expected)) {
    const out = new Uint8Array(8)
    new SipHash(key).write(
      Uint8Array.from({ length: 64 }, (_, i) => i),
      Number(length),
      out,
      0,
    )
    assert.equal(text(out), hash, length)
  }
})

// RFC 9018 appendix A.
const SECRET = hex('e5e973e5a6b2a43f48e7dc849e37bfcf')
const CLIENT = '2464c4abcf10c957'
const answered = (cookies: Cookies, cookie: string, peer: string) => {
  const out = new Uint8Array(24)
  const good = cookies.answer(hex(cookie), 0, cookie.length / 2, new Peer().setText(peer), out)
  return { good, cookie: text(out) }
}

test('a client without a cookie of ours learns the one that the standard has as its example', () => {
  const cookies = new Cookies(SECRET, () => 1559731985_000)
  assert.deepEqual(answered(cookies, CLIENT, '198.51.100.100'), {
    good: false,
    cookie: '2464c4abcf10c957010000005cf79f111f8130c3eee29480',
  })
})

test('who shows its cookie within the hour is believed; at another address, late or with a bit changed it is not', () => {
  const shown = '2464c4abcf10c957010000005cf79f111f8130c3eee29480'
  const at = (seconds: number) => new Cookies(SECRET, () => (1559731985 + seconds) * 1000)
  assert.equal(answered(at(1800), shown, '198.51.100.100').good, true)
  assert.equal(answered(at(3601), shown, '198.51.100.100').good, false)
  assert.equal(answered(at(-301), shown, '198.51.100.100').good, false)
  assert.equal(answered(at(0), shown, '198.51.100.101').good, false)
  assert.equal(answered(at(0), shown.replace('29480', '29481'), '198.51.100.100').good, false)
})

test('an IPv6 client is believed with the cookie of the standard', () => {
  const cookies = new Cookies(hex('dd3bdf9344b678b185a6f5cb60fca715'), () => 1559741961_000)
  assert.equal(
    answered(cookies, '22681ab97d52c298010000005cf7c57926556bd0934c72f8', '2001:db8:220:1:59de:d0f4:8769:82b8').good,
    true,
  )
})
