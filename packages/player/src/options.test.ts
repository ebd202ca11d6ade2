import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { LANGUAGES, languageOf, readOptions, visitorsLanguage, withToken } from './options.ts'

const NONE = { autoplay: false, muted: false, start: 0, language: null, color: null, title: null, token: null }

test('what the address of a frame asks for is read, and everything else is as if it were not there', () => {
  assert.deepEqual(readOptions('?autoplay=1&muted&start=90.5&language=zh-TW&color=3A5BFF&title=Pier&token=a.b.c'), {
    autoplay: true,
    muted: true,
    start: 90.5,
    language: 'zh-Hant',
    color: '#3a5bff',
    title: 'Pier',
    token: 'a.b.c',
  })
  const odd = '?autoplay=no&muted=0&start=-1&language=xx&color=red;background:url(x)&title=%00%0a&token=a.b.c%26x=1'
  assert.deepEqual(readOptions(odd), NONE)
  for (const start of ['Infinity', 'NaN', '1e9', '']) assert.equal(readOptions(`?start=${start}`).start, 0, start)
})

test('whatever the address says, each option is one that it may be', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        fc
          .dictionary(fc.constantFrom(...Object.keys(NONE)), fc.string())
          .map((all) => new URLSearchParams(all).toString()),
      ),
      (query) => {
        const { start, language, color, title, token } = readOptions(query)
        assert.ok(start >= 0 && start <= 604_800)
        assert.ok(language === null || LANGUAGES.includes(language))
        assert.ok(color === null || /^#[0-9a-f]{6}$/.test(color))
        assert.ok(title === null || (title.length > 0 && title.length <= 200 && !/\p{Cc}/u.test(title)))
        assert.ok(token === null || /^[\w.-]+$/.test(token))
      },
    ),
  )
})

test('visitors get the nearest of three languages', () => {
  assert.deepEqual(
    ['zh-TW', 'zh-Hant-HK', 'zh_MO', 'zhHant', 'zh', 'zh-CN', 'zh-Hans-HK', 'en-GB', 'de'].map(languageOf),
    ['zh-Hant', 'zh-Hant', 'zh-Hant', 'zh-Hant', 'zh-Hans', 'zh-Hans', 'zh-Hans', 'en', null],
  )
  assert.equal(visitorsLanguage(['de', 'zh-HK', 'en']), 'zh-Hant')
  assert.equal(visitorsLanguage(['de']), 'en')
})

test('a token is put into an address once, and takes the place of none', () => {
  assert.equal(withToken('http://k.test/a/master.m3u8', null), 'http://k.test/a/master.m3u8')
  assert.equal(withToken('http://k.test/a/master.m3u8?token=x', 'a.b.c'), 'http://k.test/a/master.m3u8?token=a.b.c')
})
