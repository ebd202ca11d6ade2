import { expect, test } from 'vitest'
import { fieldOf, readDraft } from './draft.ts'

test('what is left open stays with each domain', () => {
  expect(
    readDraft('general', {
      http2: 'off',
      compression: '',
      port: '8443',
      appendAddresses: '9.9.9.9, 8.8.8.8',
      addTags: 'shop, spring sale',
    }).change,
  ).toEqual({
    tab: 'general',
    origin: { port: 8443, appendAddresses: ['9.9.9.9', '8.8.8.8'] },
    settings: { http2: false },
    addTags: ['shop', 'spring sale'],
  })
  expect(readDraft('security', { alwaysHttps: 'on', originShield: '', certificate: '' }).change).toEqual({
    tab: 'security',
    alwaysHttps: true,
  })
  expect(
    readDraft('security', { securityLevel: 'high', verifiedCrawlers: 'off', ruleSets: 'simulate', paranoiaLevel: '2' })
      .change,
  ).toEqual({
    tab: 'security',
    bots: { securityLevel: 'high', verifiedCrawlers: false },
    crs: { enabled: true, mode: 'simulate', paranoiaLevel: 2 },
  })
  expect(readDraft('security', { ruleSets: 'off' }).change).toEqual({ tab: 'security', crs: { enabled: false } })
  expect(
    readDraft('multi-cdn', { 'cdn:a': 'install', 'cdn:b': 'install', 'cdn:c': 'uninstall', 'cdn:d': '' }).change,
  ).toEqual({ tab: 'multi-cdn', install: ['a', 'b'], uninstall: ['c'] })
  expect(
    readDraft('cache', {
      defaultValue: '3',
      defaultUnit: 'hour',
      rulePath: '/img/',
      ruleValue: '1',
      noCachePath: '.php',
      noCacheType: 'extension',
      purge: 'all',
    }).change,
  ).toEqual({
    tab: 'cache',
    defaultExpiry: { value: 3, unit: 'hour' },
    rules: [{ type: 'directory', path: '/img/', expiry: { value: 1, unit: 'day' }, honorOrigin: false }],
    noCache: [{ type: 'extension', path: '.php' }],
    purge: { kind: 'all', targets: [], soft: true },
  })
})

test('nothing chosen is told apart from something wrong, which is told at its field', () => {
  expect(readDraft('general', { http2: '' })).toEqual({ change: null, problems: {}, isEmpty: true })
  expect(readDraft('general', { address: 'no address' }).problems).toEqual({ address: 'validation.fqdnOrIpAddress' })
  expect(readDraft('cache', { rulePath: 'img', ruleValue: '1' }).problems).toHaveProperty('rulePath')
  expect(readDraft('cache', { purge: 'tag', purgeTargets: ' ' }).problems).toEqual({
    purgeTargets: 'validation.required',
  })
  expect(['origin.address', 'rules.0.expiry.value', 'addTags.0', 'purge.targets.1'].map(fieldOf)).toEqual([
    'address',
    'ruleValue',
    'addTags',
    'purgeTargets',
  ])
})
