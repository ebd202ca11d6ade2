import { expect, test } from 'vitest'
import { joinServiceName, splitServiceName } from './service-name.ts'

test.each([
  ['_sip._tcp', { service: 'sip', protocol: 'tcp', host: '@' }],
  ['_sip._tls.voice', { service: 'sip', protocol: 'tls', host: 'voice' }],
  ['_xmpp-client._udp.a.b', { service: 'xmpp-client', protocol: 'udp', host: 'a.b' }],
  ['_ldap._sctp', { service: 'ldap', protocol: 'sctp', host: '@' }],
  ['voice', { service: '', protocol: 'tcp', host: 'voice' }],
  ['', { service: '', protocol: 'tcp', host: '' }],
])('the name %s comes apart and together again', (name, parts) => {
  expect(splitServiceName(name)).toEqual(parts)
  expect(joinServiceName(parts)).toBe(name)
})

test('a service typed with its underscore has one', () =>
  expect(joinServiceName({ service: '_sip', protocol: 'udp', host: '' })).toBe('_sip._udp'))
