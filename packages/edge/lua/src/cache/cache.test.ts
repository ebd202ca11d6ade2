import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cacheKey, readCacheKey } from './cache-key.ts'
import { deliveryDirectives } from './delivery-directives.ts'
import { parseDirectives } from './directives.ts'
import { cacheWord, cacheWordOf, type FreshnessInput, freshnessOf, mayBeStale } from './freshness.ts'
import { httpDate } from './http-date.ts'
import { isMeant, isStaticContent } from './static-content.ts'
import {
  invalidationPlace,
  purgeHead,
  purgeStamp,
  readTagEntry,
  tagEntryText,
  tagStamp,
  tagsOf,
  together,
} from './purge-stamp.ts'
import { sameHostPath } from './same-host-path.ts'
import { holdsInBothWorlds, type Table } from '../testing/both-worlds.ts'

const NOW = 1_800_000_000
const freshness = (input: Partial<FreshnessInput>) => [
  {
    status: 200,
    cacheControl: '',
    cdnCacheControl: '',
    now: NOW,
    setsCookie: false,
    vary: '',
    hasValidator: false,
    authorized: false,
    hasCookie: false,
    hadContent: false,
    enabled: true,
    everything: true,
    isStatic: false,
    ttlSeconds: 100,
    honorOrigin: true,
    ...input,
  },
]
const STATIC = { everything: false, isStatic: true }
/** What the cache is told: fresh for so long, kept for a day in case the origin fails. */
const fresh = (freshSeconds: number, ifErrorSeconds = 86_400, whileRevalidateSeconds = 0) => ({
  freshSeconds,
  whileRevalidateSeconds,
  ifErrorSeconds,
  why: '',
  confirmed: false,
})
/** Not used without asking, and whether it is stored all the same. */
const asked = (why: string, confirmed = false) => ({
  freshSeconds: 0,
  whileRevalidateSeconds: 0,
  ifErrorSeconds: 0,
  why,
  confirmed,
})
/** A page that is confirmed each time, and shown for so many seconds while the origin is away. */
const pageOf = (ifErrorSeconds: number) => ({ ...asked('not-static', true), ifErrorSeconds })

const ending = (path: string) => ({ type: 'extension', path })
const many = (count: number, name = 't') => Array.from({ length: count }, (_, i) => `${name}${i}`)

const TABLES: Table[] = [
  [
    'cache.freshness',
    'freshnessOf',
    freshnessOf,
    [
      ['a silent origin', freshness({}), fresh(100)],
      ['a silent redirect that is permanent', freshness({ status: 308 }), fresh(100)],
      ['a silent redirect that is not', freshness({ status: 302 }), asked('status')],
      ['a silent error', freshness({ status: 500 }), asked('status')],
      ['a silent missing page', freshness({ status: 404 }), fresh(10)],
      ['a silent missing page, short lifetime', freshness({ status: 404, ttlSeconds: 3 }), fresh(3)],
      ['max-age', freshness({ cacheControl: 'public, max-age=30' }), fresh(30)],
      [
        'max-age on a redirect that is not permanent',
        freshness({ status: 302, cacheControl: 'max-age=30' }),
        fresh(30),
      ],
      ['s-maxage before max-age', freshness({ cacheControl: 'max-age=30, s-maxage=5' }), fresh(5, 0)],
      ['max-age before Expires', freshness({ cacheControl: 'max-age=30', expiresAt: NOW + 500 }), fresh(30)],
      ['capitals and spaces', freshness({ cacheControl: ' Max-Age = 30 ' }), fresh(30)],
      ['a quoted number', freshness({ cacheControl: 'max-age="30"' }), fresh(30)],
      ['the first of two', freshness({ cacheControl: 'max-age=30, max-age=90' }), fresh(30)],
      ['no number', freshness({ cacheControl: 'max-age=soon' }), asked('expired')],
      ['a negative number', freshness({ cacheControl: 'max-age=-1' }), asked('expired')],
      ['an empty number', freshness({ cacheControl: 'max-age=' }), asked('expired')],
      ['a number beyond all numbers', freshness({ cacheControl: `max-age=${'9'.repeat(400)}` }), fresh(31_536_000)],
      ['the age it already has', freshness({ cacheControl: 'max-age=30', age: '12' }), fresh(18)],
      ['older than its lifetime', freshness({ cacheControl: 'max-age=30', age: '31' }), asked('expired')],
      ['an age that is none', freshness({ cacheControl: 'max-age=30', age: 'x' }), fresh(30)],
      ['Expires from Date', freshness({ expiresAt: NOW + 50, dateAt: NOW + 20 }), fresh(30)],
      ['Expires without Date', freshness({ expiresAt: NOW + 50 }), fresh(50)],
      ['Expires in the past', freshness({ expiresAt: NOW - 50, dateAt: NOW }), asked('expired')],
      ['Expires that is no date', freshness({ expiresAt: -1 }), asked('expired')],
      ['no-store', freshness({ cacheControl: 'max-age=30, no-store' }), asked('no-store')],
      ['private', freshness({ cacheControl: 'private, max-age=30' }), asked('private')],
      ['private with fields', freshness({ cacheControl: 'private="set-cookie, x", max-age=30' }), asked('private')],
      ['no-cache', freshness({ cacheControl: 'NO-CACHE' }), asked('no-cache')],
      [
        "no-store inside quotes is another directive's value",
        freshness({ cacheControl: 'ext="a, no-store", max-age=30' }),
        fresh(30),
      ],
      ['a name that only begins like one', freshness({ cacheControl: 'no-storeroom, max-age=30' }), fresh(30)],
      ['a cookie', freshness({ cacheControl: 'max-age=30', setsCookie: true }), asked('set-cookie')],
      ['Vary on everything', freshness({ cacheControl: 'max-age=30', vary: 'accept, *' }), asked('vary')],
      ['Vary on one header', freshness({ cacheControl: 'max-age=30', vary: 'accept' }), fresh(30)],
      ['asked with Authorization', freshness({ cacheControl: 'max-age=30', authorized: true }), asked('authorization')],
      ['asked with content', freshness({ cacheControl: 'max-age=30', hadContent: true }), asked('request-content')],
      ['a part', freshness({ status: 206, cacheControl: 'max-age=30' }), asked('partial')],
      ['caching is off', freshness({ enabled: false, cacheControl: 'max-age=30' }), asked('caching-off')],
      ['no default lifetime', freshness({ ttlSeconds: 0 }), asked('silent')],
      ['a lifetime beyond a year', freshness({ cacheControl: 'max-age=99999999' }), fresh(31_536_000)],
      ['of several ages the first', freshness({ cacheControl: 'max-age=30', age: '12, 29' }), fresh(18)],
      [
        'CDN-Cache-Control before Cache-Control',
        freshness({ cdnCacheControl: 'max-age=90', cacheControl: 'no-store' }),
        fresh(90),
      ],
      [
        'CDN-Cache-Control that forbids',
        freshness({ cdnCacheControl: 'no-store', cacheControl: 'max-age=30' }),
        asked('no-store'),
      ],
      [
        'CDN-Cache-Control before Expires',
        freshness({ cdnCacheControl: 'must-revalidate', expiresAt: NOW + 5 }),
        fresh(100, 0),
      ],
      [
        'CDN-Cache-Control that does not parse',
        freshness({ cdnCacheControl: 'Max-Age=90', cacheControl: 'max-age=30' }),
        fresh(30),
      ],
      ['CDN-Cache-Control, the last of a name', freshness({ cdnCacheControl: 'max-age=90, max-age=40' }), fresh(40)],
      ['CDN-Cache-Control with parameters', freshness({ cdnCacheControl: 'max-age=90;x=1' }), fresh(90)],
      [
        'must-revalidate leaves no time after',
        freshness({ cacheControl: 'max-age=30, must-revalidate, stale-while-revalidate=9, stale-if-error=9' }),
        fresh(30, 0),
      ],
      ['proxy-revalidate too', freshness({ cacheControl: 'max-age=30, proxy-revalidate' }), fresh(30, 0)],
      [
        'stale-while-revalidate',
        freshness({ cacheControl: 'max-age=30, stale-while-revalidate=9' }),
        fresh(30, 86_400, 9),
      ],
      ['stale-if-error', freshness({ cacheControl: 'max-age=30, stale-if-error=9' }), fresh(30, 9)],
      ['stale-if-error=0', freshness({ cacheControl: 'max-age=30, stale-if-error=0' }), fresh(30, 0)],
      ["a rule's own lifetime", freshness({ cacheControl: 'max-age=30', honorOrigin: false }), fresh(100)],
      [
        "a rule's own lifetime over no-cache",
        freshness({ cacheControl: 'no-cache, max-age=0', age: '50', honorOrigin: false }),
        fresh(100),
      ],
      [
        "a rule's own lifetime never over private",
        freshness({ cacheControl: 'private', honorOrigin: false }),
        asked('private'),
      ],
      [
        'no-cache with a validator',
        freshness({ cacheControl: 'no-cache', hasValidator: true }),
        asked('no-cache', true),
      ],
      [
        'stale at once with a validator',
        freshness({ cacheControl: 'max-age=0', hasValidator: true }),
        asked('expired', true),
      ],
      ['must-understand over no-store', freshness({ cacheControl: 'no-store, must-understand, max-age=9' }), fresh(9)],
      [
        'must-understand of a status that is not',
        freshness({ status: 299, cacheControl: 'must-understand, max-age=9' }),
        asked('status'),
      ],
      ['Authorization and public', freshness({ authorized: true, cacheControl: 'public, max-age=9' }), fresh(9)],
      ['Authorization and s-maxage', freshness({ authorized: true, cacheControl: 's-maxage=9' }), fresh(9, 0)],
      [
        'Authorization and must-revalidate',
        freshness({ authorized: true, cacheControl: 'max-age=9, must-revalidate' }),
        fresh(9, 0),
      ],
      [
        'Authorization and a rule that replaces',
        freshness({ authorized: true, honorOrigin: false }),
        asked('authorization'),
      ],
      ['by default a silent page', freshness({ everything: false }), asked('not-static')],
      ['by default a silent file', freshness({ everything: false, isStatic: true }), fresh(100)],
      ['by default a silent file for who has a cookie', freshness({ ...STATIC, hasCookie: true }), asked('cookie')],
      [
        'by default a word for who has a cookie',
        freshness({ ...STATIC, hasCookie: true, cacheControl: 'max-age=9' }),
        fresh(9),
      ],
      ['by default a missing file', freshness({ ...STATIC, status: 404 }), fresh(10)],
      [
        'a file whose lifetime replaces',
        freshness({ ...STATIC, honorOrigin: false, cacheControl: 'no-cache' }),
        fresh(100),
      ],
      ['a page beside that', freshness({ everything: false, honorOrigin: false, cacheControl: 'max-age=9' }), fresh(9)],
      ['a page that was changed', freshness({ everything: false, modifiedAt: NOW - 500 }), pageOf(86_400)],
      [
        'a page that was changed, and for how long it may be old',
        freshness({ everything: false, cacheControl: 'stale-if-error=9', modifiedAt: NOW - 500 }),
        pageOf(9),
      ],
      [
        'and its confirmation, whoever asked for it',
        freshness({ everything: false, cacheControl: 'stale-if-error=9', status: 304, hasCookie: true }),
        { ...asked('cookie', true), ifErrorSeconds: 9 },
      ],
      [
        'but none that forbids it',
        freshness({ everything: false, cacheControl: 'stale-if-error=9, must-revalidate', status: 304 }),
        asked('not-static'),
      ],
      [
        'a page that was changed, and must be confirmed',
        freshness({ everything: false, cacheControl: 'must-revalidate', modifiedAt: NOW - 500 }),
        pageOf(0),
      ],
      [
        'a page that was changed, without a default lifetime',
        freshness({ everything: false, ttlSeconds: 0, modifiedAt: NOW - 500 }),
        fresh(50),
      ],
      [
        'a public page that was changed',
        freshness({ everything: false, cacheControl: 'public', modifiedAt: NOW - 500 }),
        fresh(50),
      ],
      ['no longer than the default', freshness({ ...STATIC, status: 204, modifiedAt: NOW - 500_000 }), fresh(100)],
      ['a day at most', freshness({ everything: false, ttlSeconds: 0, modifiedAt: NOW - 5_000_000 }), fresh(86_400)],
      [
        'not for who has a cookie',
        freshness({ everything: false, modifiedAt: NOW - 500, hasCookie: true }),
        asked('cookie'),
      ],
      ['changed in the future', freshness({ everything: false, modifiedAt: NOW + 500 }), pageOf(86_400)],
      ['a file without a default lifetime', freshness({ ...STATIC, ttlSeconds: 0, modifiedAt: NOW - 500 }), fresh(50)],
      ...[204, 405, 414, 501].map((status): [string, unknown[], unknown] => [
        `${status} that was changed`,
        freshness({ status, modifiedAt: NOW - 500 }),
        fresh(50),
      ]),
      ...[201, 202, 302, 403, 502, 503, 504, 599].map((status): [string, unknown[], unknown] => [
        `${status} that was changed`,
        freshness({ status, modifiedAt: NOW - 500 }),
        asked('status'),
      ]),
      [
        'any status that is public',
        freshness({ status: 599, cacheControl: 'public', modifiedAt: NOW - 500 }),
        fresh(50),
      ],
      ["a rule's own lifetime not for an error", freshness({ status: 500, honorOrigin: false }), asked('status')],
    ],
  ],
  [
    'cache.freshness',
    'cacheWord',
    cacheWord,
    [
      ['nothing', [asked('private')], 'no-store, why=private'],
      ['kept to be confirmed', [asked('no-cache', true)], 'no-cache, why=no-cache'],
      ['and old while the origin is away', [pageOf(9)], 'no-cache, stale-if-error=9, why=not-static'],
      ['all', [fresh(5, 6, 7)], 'max-age=5, stale-while-revalidate=7, stale-if-error=6'],
      ['only fresh', [fresh(5, 0)], 'max-age=5'],
    ],
  ],
  [
    'cache.freshness',
    'mayBeStale',
    mayBeStale,
    [
      ['within', ['max-age=5, stale-if-error=6', 11], true],
      ['after', ['max-age=5, stale-if-error=6', 12], false],
      ['never', ['max-age=5', 6], false],
      ['of what is always confirmed', ['stale-if-error=6', 6], true],
      ['of that without a word', ['', 0], false],
      ['the longer of the two', ['max-age=5, stale-while-revalidate=7, stale-if-error=6', 12], true],
    ],
  ],
  [
    'cache.http-date',
    'httpDate',
    httpDate,
    [
      ['now', ['Fri, 15 Jan 2027 08:00:00 GMT', NOW], NOW],
      ['a leap day', ['Thu, 29 Feb 2024 00:00:00 GMT', NOW], 1_709_164_800],
      ['the day after one', ['Fri, 01 Mar 2024 00:00:00 GMT', NOW], 1_709_251_200],
      ['before the epoch', ['Wed, 31 Dec 1969 23:59:59 GMT', NOW], -1],
      ['RFC 850', ['Thursday, 18-Aug-50 02:01:18 GMT', NOW], 2_544_400_878],
      ['RFC 850 of the last century', ['Sunday, 06-Nov-94 08:49:37 GMT', NOW], 784_111_777],
      ['asctime', ['Sun Nov  6 08:49:37 1994', NOW], 784_111_777],
      ['in any case', ['THU, 18 aug 2050 02:01:18 gmt', NOW], 2_544_400_878],
      ...[
        '0',
        '',
        'soon',
        'Thu, 18 Aug 2050 02:01:18 AEST',
        'Thu, 18 Aug 2050 02:01:18 UTC',
        'Thu, 18 Aug 2050 02:01:18',
        'Thu, 18 Aug 2050 2:01:18 GMT',
        'Thu, 18 Aug 50 02:01:18 GMT',
        'Thu, 18-Aug-2050 02:01:18 GMT',
        'Thu, 18  Aug  2050 02:01:18 GMT',
        'Thu, 18 Aug 2050 02.01.18 GMT',
        'Thu, 18 Aug 2050 02:01:18 GMT, Thu, 18 Aug 2050 02:01:19 GMT',
      ].map((text): [string, unknown[], unknown] => [`no date: ${text}`, [text, NOW], undefined]),
    ],
  ],
  [
    'cache.static-content',
    'isMeant',
    isMeant,
    [
      ['a style', [ending('.css'), '', '.css', 'text/css; charset=utf-8'], true],
      ['a page under its name', [ending('.css'), '', '.css', 'text/html'], false],
      ['a page under its name in capitals', [ending('.CSS'), '', '.Css', 'text/html'], false],
      ['what is confirmed and has no content', [ending('.css'), '', '.css'], true],
      ['an ending of no static kind', [ending('.html'), '', '.html', 'text/html'], true],
      ['an ending that others do not read there', [ending('.html'), '/account', '.html', 'text/html'], false],
      ['a folder', [{ type: 'directory', path: '/img/' }, '', '', 'text/html'], true],
      ['a folder that others leave', [{ type: 'directory', path: '/img/' }, '/account', '', 'text/html'], false],
      ['one that others do not', [{ type: 'directory', path: '/img/' }, '/img/a', '', 'text/html'], true],
      ['a pattern that others do not see', [{ type: 'pattern', path: '/*.js' }, '/account', '.js', 'a/b'], false],
    ],
  ],
  [
    'cache.static-content',
    'isStaticContent',
    isStaticContent,
    [
      ['a style', ['.css', 'text/css; charset=utf-8'], true],
      ['a script', ['.js', 'Application/JavaScript'], true],
      ['a picture', ['.png', 'image/webp'], true],
      ['a font as bytes', ['.woff2', 'application/octet-stream'], true],
      ['a paper', ['.pdf', 'application/pdf'], true],
      ['a page under the name of a style', ['.css', 'text/html'], false],
      ['data under the name of a file', ['.zip', 'application/json'], false],
      ['a picture under the name of a page', ['.html', 'image/png'], false],
      ['a picture without a name', ['', 'image/png'], false],
      ['a name without a type', ['.png', ''], false],
    ],
  ],
  [
    'cache.purge-stamp',
    'purgeStamp',
    purgeStamp,
    [
      [
        'nothing',
        [
          { all: 0, allOf: {}, hasDirectories: false, heads: {}, directories: {}, paths: {}, urls: {}, tags: {} },
          '/a',
          '',
          '',
        ],
        0,
      ],
      [
        'the newest of what fits',
        [
          {
            all: 3,
            allOf: { polaris: 30 },
            hasDirectories: true,
            heads: { '/a/': true, '/b/': true },
            directories: { '/': 4, '/a/': 9, '/b/': 20 },
            paths: { '/a/c': 7 },
            urls: { '/a/c?x': 8 },
            tags: {},
          },
          '/a/c',
          'x',
          '',
        ],
        9,
      ],
      [
        'everything of one CDN',
        [
          {
            all: 3,
            allOf: { polaris: 30 },
            hasDirectories: false,
            heads: {},
            directories: {},
            paths: {},
            urls: {},
            tags: {},
          },
          '/a',
          '',
          'polaris',
        ],
        30,
      ],
      [
        'a query only where it is named',
        [
          {
            all: 0,
            allOf: {},
            hasDirectories: false,
            heads: {},
            directories: {},
            paths: {},
            urls: { '/a?x': 8 },
            tags: {},
          },
          '/a',
          'y',
          '',
        ],
        0,
      ],
      [
        'a directory is not its namesake',
        [
          {
            all: 0,
            allOf: {},
            hasDirectories: true,
            heads: { '/a/': true },
            directories: { '/a/': 8 },
            paths: {},
            urls: {},
            tags: {},
          },
          '/a',
          '',
          '',
        ],
        0,
      ],
      [
        'a directory far down',
        [
          {
            all: 0,
            allOf: {},
            hasDirectories: true,
            heads: { '/a/': true },
            directories: { '/a/b/c/': 8 },
            paths: {},
            urls: {},
            tags: {},
          },
          '/a/b/c/d/e',
          '',
          '',
        ],
        8,
      ],
      [
        'a directory beside it',
        [
          {
            all: 0,
            allOf: {},
            hasDirectories: true,
            heads: { '/a/': true },
            directories: { '/a/b/c/': 8 },
            paths: {},
            urls: {},
            tags: {},
          },
          '/a/b/',
          '',
          '',
        ],
        0,
      ],
      [
        'a whole host of a wildcard',
        [
          {
            all: 0,
            allOf: {},
            hasDirectories: true,
            heads: {},
            directories: { 'a.test/': 8 },
            paths: {},
            urls: {},
            tags: {},
          },
          'a.test/b/c',
          '',
          '',
        ],
        8,
      ],
      [
        'a directory of one host of a wildcard',
        [
          {
            all: 0,
            allOf: {},
            hasDirectories: true,
            heads: { 'a.test/b/': true },
            directories: { 'a.test/b/': 8 },
            paths: {},
            urls: {},
            tags: {},
          },
          'a.test/b/c',
          '',
          '',
        ],
        8,
      ],
    ],
  ],
  [
    'cache.purge-stamp',
    'tagsOf',
    tagsOf,
    [
      ['commas and blanks', ['a, b  c,a'], ['a', 'b', 'c']],
      [
        'at most 64',
        [Array.from({ length: 80 }, (_, i) => `t${i}`).join(' ')],
        Array.from({ length: 64 }, (_, i) => `t${i}`),
      ],
    ],
  ],
  [
    'cache.purge-stamp',
    'tagStamp',
    tagStamp,
    [
      ['purged after it was stored', [{ a: 50 }, { stamp: 0, storedAt: 40, tags: ['a'] }, 50], 50],
      ['purged before', [{ a: 30 }, { stamp: 0, storedAt: 40, tags: ['a'] }, 30], 0],
      ['another tag', [{ b: 50 }, { stamp: 7, storedAt: 40, tags: ['a'] }, 50], 7],
      ['more tags than are remembered', [{ b: 50 }, { stamp: 7, storedAt: 40, tags: ['*'] }, 50], 50],
      ['the same, purged before', [{ b: 30 }, { stamp: 7, storedAt: 40, tags: ['*'] }, 30], 7],
    ],
  ],
  [
    'cache.purge-stamp',
    'together',
    together,
    [
      [
        'each once',
        [
          ['a', 'b'],
          ['b', 'c'],
        ],
        ['a', 'b', 'c'],
      ],
      ['as many as are remembered', [many(200), many(56, 'u')], [...many(200), ...many(56, 'u')]],
      ['one more', [many(200), many(57, 'u')], ['*']],
      ['many once more', [['*'], many(3)], ['*']],
      ['longer ones than are remembered', [many(10), many(15, 'x'.repeat(300))], ['*']],
    ],
  ],
  [
    'cache.purge-stamp',
    'readTagEntry',
    readTagEntry,
    [
      [
        'what was written',
        [tagEntryText({ stamp: 1_800_000_000_123, storedAt: 1_800_000_000_456, tags: ['a', 'b'] })],
        { stamp: 1_800_000_000_123, storedAt: 1_800_000_000_456, tags: ['a', 'b'] },
      ],
    ],
  ],
  [
    'cache.cache-key',
    'readCacheKey',
    readCacheKey,
    [
      [
        'what was written, bars in the path included',
        [cacheKey('polaris', 'https', 'a.test', 'abc', 1_800_000_000_123, 0, '/a|b?c|d')],
        {
          cdn: 'polaris',
          scheme: 'https',
          host: 'a.test',
          generation: 'abc',
          purgedAt: 1_800_000_000_123,
          tagPurgedAt: 0,
          target: '/a|b?c|d',
        },
      ],
    ],
  ],
  [
    'cache.purge-stamp',
    'purgeHead',
    purgeHead,
    [
      ['the directory itself', ['/a/'], '/a/'],
      ['the first folder of a deeper one', ['/a/b/c/'], '/a/'],
      ['that of a host under a wildcard', ['a.test/b/c/'], 'a.test/b/'],
    ],
  ],
  [
    'cache.purge-stamp',
    'invalidationPlace',
    invalidationPlace,
    [
      ['by the first bytes of the digest', ['customer', 'ab and more'], 'customer 8546'],
      ['the same for another digest that differs behind them', ['customer', 'ab and less'], 'customer 8546'],
      ['one of 16,384', ['customer', 'rb'], 'customer 12898'],
      ['a place of its own for another customer', ['other', 'ab'], 'other 8546'],
    ],
  ],
  [
    'cache.delivery-directives',
    'deliveryDirectives',
    deliveryDirectives,
    [
      ['nothing', ['a=1'], ''],
      ['in one order', ['_HLS_skip=YES&x=1&_HLS_part=2&_HLS_msn=7'], '_HLS_msn=7&_HLS_part=2&_HLS_skip=YES'],
      ['a skip alone', ['_HLS_skip=v2'], '_HLS_skip=YES'],
      ['zeros in front', ['_HLS_msn=007&_HLS_part=00'], '_HLS_msn=7&_HLS_part=0'],
      ['others of that name', ['_HLS_pathway=A'], ''],
      ['a part of no segment', ['_HLS_part=2'], '_HLS_msn=-'],
      ['no number', ['_HLS_msn=1e3'], '_HLS_msn=-'],
      ['nothing behind it', ['_HLS_msn='], '_HLS_msn=-'],
      ['twice', ['_HLS_msn=1&_HLS_msn=1'], '_HLS_msn=-'],
      ['too long a number', ['_HLS_msn=1000000000000000000'], '_HLS_msn=-'],
      ['too long a part', ['_HLS_msn=1&_HLS_part=1000'], '_HLS_msn=-'],
      ['another skip', ['_HLS_msn=1&_HLS_skip=no'], '_HLS_msn=-'],
    ],
  ],
  [
    'cache.same-host-path',
    'sameHostPath',
    sameHostPath,
    [
      ['a path', ['/a?b', 'h.test'], '/a'],
      ['the same host', ['https://H.test:8443/a#x', 'h.test'], '/a'],
      ['another host', ['https://other.test/a', 'h.test'], ''],
      ['another host without a scheme', ['//other.test/a', 'h.test'], ''],
      ['relative', ['a/b', 'h.test'], ''],
    ],
  ],
  [
    'cache.directives',
    'parseDirectives',
    parseDirectives,
    [
      [
        'two',
        ['a, b=c'],
        [
          { name: 'a', value: '' },
          { name: 'b', value: 'c' },
        ],
      ],
      ['an open quote', ['a="b, c'], [{ name: 'a', value: '"b, c' }]],
      ['commas only', [',,x,'], [{ name: 'x', value: '' }]],
    ],
  ],
]

describe('what the cache keeps is decided', () => {
  holdsInBothWorlds(TABLES)

  it('the same word for an answer the second time, and for one that differs in anything another', () => {
    for (const input of [
      {},
      { cacheControl: 'max-age=30' },
      { cacheControl: 'max-age=30', honorOrigin: false },
      { cacheControl: 'max-age=30', ttlSeconds: 7, honorOrigin: false },
      { status: 404 },
      { vary: '*' },
      { age: '12', cacheControl: 'max-age=30' },
      { setsCookie: true },
      { authorized: true },
      { hadContent: true },
      { enabled: false },
      { expiresAt: NOW + 50 },
      { cdnCacheControl: 'max-age=3' },
      { status: 206 },
    ]) {
      const [asked] = freshness(input)
      for (let i = 0; i < 2; i++)
        assert.equal(
          cacheWordOf(asked as FreshnessInput),
          cacheWord(freshnessOf(asked as FreshnessInput)),
          JSON.stringify(input),
        )
    }
  })
})
