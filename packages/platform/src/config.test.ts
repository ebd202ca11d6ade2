import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ConfigError, loadConfig } from './config.ts'

const read = (text?: string) =>
  loadConfig({
    FAIRWAY_HOME: '/nonexistent',
    ...(text === undefined ? {} : { FAIRWAY_TRUSTED_PROXIES: text }),
  }).trustedProxies

test('nobody is believed about where a call comes from, unless a setting says so', () => {
  assert.deepEqual(read(), [])
  assert.deepEqual(read('192.0.2.10, 198.51.100.0/24,2001:db8::/32'), [
    '192.0.2.10',
    '198.51.100.0/24',
    '2001:db8::/32',
  ])
})

test('proxies that are no addresses are refused by the name of their setting', () => {
  for (const text of [
    'banana',
    '192.0.2.10/33',
    '2001:db8::/129',
    '192.0.2.0/24/8',
    'fe80::1%eth0',
    'loopback',
    '192.0.2.1/',
  ])
    assert.throws(
      () => read(text),
      (error) =>
        error instanceof ConfigError &&
        error.message.includes('FAIRWAY_TRUSTED_PROXIES') &&
        error.message.includes(text),
      text,
    )
})

test('the console has TLS with address, certificate and key, or not at all; people are then led to it', () => {
  const all = {
    FAIRWAY_HOME: '/nowhere',
    FAIRWAY_TLS_LISTEN: '192.0.2.1:8443',
    FAIRWAY_TLS_CERT: '/etc/cert.pem',
    FAIRWAY_TLS_KEY: '/etc/key.pem',
  }
  const { publicUrl, apiUrl } = loadConfig(all)
  assert.deepEqual([publicUrl, apiUrl], ['https://192.0.2.1:8443', 'http://127.0.0.1:8080'])
  for (const name of ['FAIRWAY_TLS_LISTEN', 'FAIRWAY_TLS_CERT', 'FAIRWAY_TLS_KEY'])
    assert.throws(() => loadConfig({ ...all, [name]: '' }), /belong together/)
})

test('a certificate of the console is ordered for a name, from an authority that a setting knows, or not at all', () => {
  const all = {
    FAIRWAY_HOME: '/nowhere',
    FAIRWAY_TLS_LISTEN: '192.0.2.1:443',
    FAIRWAY_TLS_ACME: 'lets-encrypt',
    FAIRWAY_ACME_LETS_ENCRYPT_URL: 'https://acme.example/directory',
    FAIRWAY_PUBLIC_URL: 'https://console.example.com',
  }
  assert.equal(loadConfig(all).tlsAcme, 'lets-encrypt')
  const wrong: [name: string, value: string, said: RegExp][] = [
    ['FAIRWAY_TLS_LISTEN', '', /needs FAIRWAY_TLS_LISTEN/],
    ['FAIRWAY_TLS_CERT', '/etc/cert.pem', /neither FAIRWAY_TLS_CERT/],
    ['FAIRWAY_TLS_ACME', 'zero-ssl', /FAIRWAY_ACME_ZERO_SSL_URL/],
    ['FAIRWAY_ACME_LETS_ENCRYPT_URL', '', /FAIRWAY_ACME_LETS_ENCRYPT_URL/],
    ...[
      '',
      'http://console.example.com',
      'https://192.0.2.1',
      'https://[2001:db8::1]',
      'https://localhost',
      "https://a'b.example",
    ].map((url): [string, string, RegExp] => ['FAIRWAY_PUBLIC_URL', url, /needs FAIRWAY_PUBLIC_URL/]),
  ]
  for (const [name, value, said] of wrong)
    assert.throws(() => loadConfig({ ...all, [name]: value }), said, `${name}=${value}`)
})
