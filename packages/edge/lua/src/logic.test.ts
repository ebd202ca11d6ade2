import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CdnDocument, PathMatch } from './documents.ts'
import { faultOf } from './fault.ts'
import { cacheKey, readCacheKey } from './cache-key.ts'
import { hopHeaders } from './connection-headers.ts'
import { parseDirectives } from './directives.ts'
import { isCompressible, sharedEncodings } from './encodings.ts'
import { cacheWord, cacheWordOf, type FreshnessInput, freshnessOf, mayBeStale } from './freshness.ts'
import { hostCandidates } from './host-candidates.ts'
import { isHostText } from './host-text.ts'
import { isLooping } from './loop.ts'
import { bodyForm, languageOf } from './negotiate.ts'
import { bodyLength, finalHead, isPersistent } from './origin-head.ts'
import { type Call, callInLuajit, luajitInstalled } from './testing/luajit.ts'
import { arranged, isAddress, originOrder } from './origin-order.ts'
import { pageHtml } from './page.ts'
import { anyFits, fits, fitsPattern, mayFit, pathIndex, ruleFor } from './path-match.ts'
import { purgeHead, purgeStamp, readTagEntry, tagEntryText, tagStamp, tagsOf } from './purge-stamp.ts'
import { sameHostPath } from './same-host-path.ts'

const NOW = 1_800_000_000
const freshness = (input: Partial<FreshnessInput>) => [
  {
    status: 200,
    cacheControl: '',
    cdnCacheControl: '',
    now: NOW,
    setsCookie: false,
    vary: '',
    authorized: false,
    hadContent: false,
    enabled: true,
    ttlSeconds: 100,
    honorOrigin: true,
    ...input,
  },
]
/** What the cache is told: fresh for so long, kept for a day in case the origin fails. */
const fresh = (freshSeconds: number, ifErrorSeconds = 86_400, whileRevalidateSeconds = 0) =>
  freshSeconds === 0
    ? { freshSeconds: 0, whileRevalidateSeconds: 0, ifErrorSeconds: 0 }
    : { freshSeconds, whileRevalidateSeconds, ifErrorSeconds }
const head = (status: number, ...fields: [string, string][]) => ({
  minor: 1 as const,
  status,
  fields: fields.map(([name, value]) => ({ name, value })),
  rest: '',
})
const cdn = (more: Partial<CdnDocument>) => ({
  cdnId: 'a',
  slug: 'a',
  address: '127.0.0.11',
  mode: 'up',
  addMs: 0,
  percent: 0,
  ...more,
})

/** What is promised, by module and function: [what, arguments, result]. */
const TABLES: [string, string, (...args: never[]) => unknown, [string, unknown[], unknown][]][] = [
  [
    'freshness',
    'freshnessOf',
    freshnessOf,
    [
      ['a silent origin', freshness({}), fresh(100)],
      ['a silent redirect that is permanent', freshness({ status: 308 }), fresh(100)],
      ['a silent redirect that is not', freshness({ status: 302 }), fresh(0)],
      ['a silent error', freshness({ status: 500 }), fresh(0)],
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
      ['no number', freshness({ cacheControl: 'max-age=soon' }), fresh(0)],
      ['a negative number', freshness({ cacheControl: 'max-age=-1' }), fresh(0)],
      ['an empty number', freshness({ cacheControl: 'max-age=' }), fresh(0)],
      ['a number beyond all numbers', freshness({ cacheControl: `max-age=${'9'.repeat(400)}` }), fresh(31_536_000)],
      ['the age it already has', freshness({ cacheControl: 'max-age=30', age: '12' }), fresh(18)],
      ['older than its lifetime', freshness({ cacheControl: 'max-age=30', age: '31' }), fresh(0)],
      ['an age that is none', freshness({ cacheControl: 'max-age=30', age: 'x' }), fresh(30)],
      ['Expires from Date', freshness({ expiresAt: NOW + 50, dateAt: NOW + 20 }), fresh(30)],
      ['Expires without Date', freshness({ expiresAt: NOW + 50 }), fresh(50)],
      ['Expires in the past', freshness({ expiresAt: NOW - 50, dateAt: NOW }), fresh(0)],
      ['Expires that is no date', freshness({ expiresAt: -1 }), fresh(0)],
      ['no-store', freshness({ cacheControl: 'max-age=30, no-store' }), fresh(0)],
      ['private', freshness({ cacheControl: 'private, max-age=30' }), fresh(0)],
      ['private with fields', freshness({ cacheControl: 'private="set-cookie, x", max-age=30' }), fresh(0)],
      ['no-cache', freshness({ cacheControl: 'NO-CACHE' }), fresh(0)],
      [
        "no-store inside quotes is another directive's value",
        freshness({ cacheControl: 'ext="a, no-store", max-age=30' }),
        fresh(30),
      ],
      ['a name that only begins like one', freshness({ cacheControl: 'no-storeroom, max-age=30' }), fresh(30)],
      ['a cookie', freshness({ cacheControl: 'max-age=30', setsCookie: true }), fresh(0)],
      ['Vary on everything', freshness({ cacheControl: 'max-age=30', vary: 'accept, *' }), fresh(0)],
      ['Vary on one header', freshness({ cacheControl: 'max-age=30', vary: 'accept' }), fresh(30)],
      ['asked with Authorization', freshness({ cacheControl: 'max-age=30', authorized: true }), fresh(0)],
      ['asked with content', freshness({ cacheControl: 'max-age=30', hadContent: true }), fresh(0)],
      ['a part', freshness({ status: 206, cacheControl: 'max-age=30' }), fresh(0)],
      ['caching is off', freshness({ enabled: false, cacheControl: 'max-age=30' }), fresh(0)],
      ['no default lifetime', freshness({ ttlSeconds: 0 }), fresh(0)],
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
        fresh(0),
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
        fresh(0),
      ],
      ["a rule's own lifetime not for an error", freshness({ status: 500, honorOrigin: false }), fresh(0)],
    ],
  ],
  [
    'freshness',
    'cacheWord',
    cacheWord,
    [
      ['nothing', [fresh(0)], 'no-store'],
      ['all', [fresh(5, 6, 7)], 'max-age=5, stale-while-revalidate=7, stale-if-error=6'],
      ['only fresh', [fresh(5, 0)], 'max-age=5'],
    ],
  ],
  [
    'freshness',
    'mayBeStale',
    mayBeStale,
    [
      ['within', ['max-age=5, stale-if-error=6', 11], true],
      ['after', ['max-age=5, stale-if-error=6', 12], false],
      ['never', ['max-age=5', 6], false],
      ['the longer of the two', ['max-age=5, stale-while-revalidate=7, stale-if-error=6', 12], true],
    ],
  ],
  [
    'path-match',
    'fitsPattern',
    fitsPattern,
    [
      ['all', ['/*', '/a/b'], true],
      ['in the middle', ['/a/*/c.js', '/a/b/b/c.js'], true],
      ['not the end', ['/a/*.js', '/a/x.jsx'], false],
      ['exactly', ['/a', '/a'], true],
      ['shorter', ['/ab', '/a'], false],
      ['many stars end', [`/${'*a'.repeat(20)}b`, `/${'a'.repeat(200)}`], false],
      ['a trailing star may be empty', ['/a*', '/a'], true],
    ],
  ],
  [
    'path-match',
    'mayFit',
    mayFit,
    [
      [
        'a folder that a rule names',
        [pathIndex([{ type: 'directory', path: '/account/' }]), '/account/me.css', '.css'],
        true,
      ],
      [
        'another folder',
        [
          pathIndex([
            { type: 'directory', path: '/account/' },
            { type: 'pattern', path: '/api/*' },
            { type: 'extension', path: '.js' },
          ]),
          '/accounts/me.css',
          '.css',
        ],
        false,
      ],
      [
        'what begins like a rule that ends in no slash',
        [pathIndex([{ type: 'directory', path: '/acc' }]), '/accounts/me', ''],
        true,
      ],
      ['an ending', [pathIndex([{ type: 'extension', path: '.JS' }]), '/a/b.js', '.js'], true],
      ['an ending with two dots', [pathIndex([{ type: 'extension', path: '.min.js' }]), '/a/b.min.js', '.js'], true],
      [
        'a pattern that begins with a star',
        [pathIndex([{ type: 'pattern', path: '*/thumb' }]), '/img/thumb', ''],
        true,
      ],
      ['no rule at all', [pathIndex([]), '/a', ''], false],
    ],
  ],
  [
    'path-match',
    'ruleFor',
    ruleFor,
    [
      [
        'the first that fits',
        [
          [
            { type: 'directory', path: '/img/', ttlSeconds: 1, honorOrigin: true },
            { type: 'extension', path: '.png', ttlSeconds: 2, honorOrigin: true },
          ],
          '/img/a.png',
        ],
        { type: 'directory', path: '/img/', ttlSeconds: 1, honorOrigin: true },
      ],
      [
        'an extension in any case',
        [[{ type: 'extension', path: '.PNG', ttlSeconds: 2, honorOrigin: true }], '/a.pNg'],
        { type: 'extension', path: '.PNG', ttlSeconds: 2, honorOrigin: true },
      ],
    ],
  ],
  [
    'path-match',
    'anyFits',
    anyFits,
    [
      ['none', [[{ type: 'directory', path: '/img/' }], '/image/a'], false],
      [
        'one',
        [
          [
            { type: 'directory', path: '/x/' },
            { type: 'pattern', path: '/i*' },
          ],
          '/image/a',
        ],
        true,
      ],
    ],
  ],
  [
    'purge-stamp',
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
    'purge-stamp',
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
    'purge-stamp',
    'tagStamp',
    tagStamp,
    [
      ['purged after it was stored', [{ a: 50 }, { stamp: 0, storedAt: 40, tags: ['a'] }], 50],
      ['purged before', [{ a: 30 }, { stamp: 0, storedAt: 40, tags: ['a'] }], 0],
      ['another tag', [{ b: 50 }, { stamp: 7, storedAt: 40, tags: ['a'] }], 7],
    ],
  ],
  [
    'purge-stamp',
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
    'cache-key',
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
    'encodings',
    'sharedEncodings',
    sharedEncodings,
    [
      ["a browser's", ['gzip, deflate, br, zstd', true], 'br, gzip'],
      ['without brotli', ['gzip, deflate, br', false], 'gzip'],
      ['refused', ['br;q=0, gzip; q=0.5', true], 'gzip'],
      ['anything', ['*', true], 'br, gzip'],
      ['nothing', ['identity', true], ''],
    ],
  ],
  [
    'encodings',
    'isCompressible',
    isCompressible,
    [
      ['text', ['text/html; charset=utf-8'], true],
      ['a picture', ['image/png'], false],
      ['a drawing', ['image/svg+xml'], true],
    ],
  ],
  [
    'purge-stamp',
    'purgeHead',
    purgeHead,
    [
      ['the directory itself', ['/a/'], '/a/'],
      ['the first folder of a deeper one', ['/a/b/c/'], '/a/'],
      ['that of a host under a wildcard', ['a.test/b/c/'], 'a.test/b/'],
    ],
  ],
  ['connection-headers', 'hopHeaders', hopHeaders, [['what is named', ['close, X-Secret, Host'], ['x-secret']]]],
  [
    'same-host-path',
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
    'origin-order',
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
    'directives',
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
  [
    'fault',
    'faultOf',
    faultOf,
    [
      ['up', [cdn({}), 0], { act: 'serve', delayMs: 0 }],
      ['down', [cdn({ mode: 'down' }), 99], { act: 'close', delayMs: 0 }],
      ['slow', [cdn({ mode: 'slow', addMs: 250 }), 0], { act: 'serve', delayMs: 250 }],
      ['errors, hit', [cdn({ mode: 'errors', percent: 40 }), 39.9], { act: 'refuse', delayMs: 0 }],
      ['errors, missed', [cdn({ mode: 'errors', percent: 40 }), 40], { act: 'serve', delayMs: 0 }],
      ['errors of none', [cdn({ mode: 'errors', percent: 0 }), 0], { act: 'serve', delayMs: 0 }],
      ['errors of all', [cdn({ mode: 'errors', percent: 100 }), 99.999], { act: 'refuse', delayMs: 0 }],
    ],
  ],
  [
    'loop',
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
    'host-candidates',
    'hostCandidates',
    hostCandidates,
    [
      ['three labels', ['www.example.test'], ['www.example.test', '*.example.test']],
      ['four labels', ['a.b.c.test'], ['a.b.c.test', '*.b.c.test', '*.c.test']],
      ['one label', ['localhost'], ['localhost']],
      [
        'many labels',
        ['a.'.repeat(120)],
        ['a.'.repeat(120), ...Array.from({ length: 7 }, (_, i) => `*.${'a.'.repeat(119 - i)}`)],
      ],
      ['dots only', ['...'], ['...', '*...', '*..']],
    ],
  ],
  [
    'origin-order',
    'isAddress',
    isAddress,
    [
      ['IPv4', ['192.0.2.1'], true],
      ['IPv6', ['2001:db8::1'], true],
      ['a name', ['origin.example.test'], false],
      ['a name that ends in a digit', ['host1'], false],
      ['a name that begins like an address', ['192.0.2.example'], false],
    ],
  ],
  [
    'page',
    'pageHtml',
    pageHtml,
    [
      [
        'any',
        [421, 'No such name', 'Say & do.', 'abc', 'zhHant'],
        pageHtml(421, 'No such name', 'Say & do.', 'abc', 'zhHant'),
      ],
    ],
  ],
  [
    'negotiate',
    'bodyForm',
    bodyForm,
    [
      ['nothing said', [''], 'page'],
      ['anything', ['*/*'], 'page'],
      ['a browser', ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8'], 'page'],
      ['a program', ['application/json'], 'json'],
      ['a program that takes anything', ['application/json, text/plain, */*'], 'json'],
      ['JSON of a kind', ['application/vnd.api+json;q=0.9'], 'json'],
      ['a program that also shows pages', ['application/json, text/html;q=0.5'], 'page'],
      ['a picture', ['image/avif,image/webp,*/*;q=0.8'], 'text'],
      ['plain text', ['Text/Plain'], 'text'],
    ],
  ],
  [
    'negotiate',
    'languageOf',
    languageOf,
    [
      ['nothing said', [''], 'en'],
      ['Taiwan', ['zh-TW,zh;q=0.9,en;q=0.8'], 'zhHant'],
      ['Hong Kong', ['zh-HK'], 'zhHant'],
      ['by script', ['zh-Hant-CN'], 'zhHant'],
      ['the other script in Taiwan', ['zh-Hans-TW'], 'zhHans'],
      ['mainland', ['zh-CN, en'], 'zhHans'],
      ['Chinese', ['zh'], 'zhHans'],
      ['by weight', ['en;q=0.3, zh-tw;q=0.7'], 'zhHant'],
      ['one that is refused', ['zh;q=0, en;q=0.001'], 'en'],
      ['others first', ['fr, de;q=0.9, zh-TW;q=0.2'], 'zhHant'],
      ["nobody's", ['fr, de'], 'en'],
      ['a weight that is none', ['zh;q=x, en;q=0.1'], 'en'],
    ],
  ],
  [
    'host-text',
    'isHostText',
    isHostText,
    [
      ['a name', ['www.Example-1.test'], true],
      ['with a port', ['www.example.test:8080'], true],
      ['with an empty port', ['www.example.test:'], true],
      ['an underscore', ['_a.example.test'], true],
      ['a port that is none', ['www.example.test:80x'], false],
      ['markup', ['<b>.example.test'], false],
      ['a user', ['me@example.test'], false],
      ['nothing', [''], false],
      ['a port alone', [':80'], false],
    ],
  ],
  [
    'origin-head',
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
    'origin-head',
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
    'origin-head',
    'isPersistent',
    isPersistent,
    [
      ['nothing said', [head(200, ['a', 'b'])], true],
      ['the end, among other things', [head(200, ['connection', 'X-Hop , Close'])], false],
      ['HTTP/1.0', [{ ...head(200, ['a', 'b']), minor: 0 }], false],
    ],
  ],
]

describe('the edge decides', () => {
  for (const [module, name, run, cases] of TABLES) {
    it(`${name} as promised`, () => {
      for (const [what, args, result] of cases)
        assert.deepEqual(run(...(args as never[])), result, `${module}: ${what}`)
    })
  }

  it(
    'the same in LuaJIT, which nginx runs, as in Node',
    { skip: luajitInstalled() ? false : 'luajit and lua-cjson are not installed (apt-get install luajit2 lua-cjson)' },
    async () => {
      const flat = TABLES.flatMap(([module, name, , cases]) =>
        cases.map(([what, args, result]) => ({ call: { module, name, args } satisfies Call, what, result })),
      )
      const answers = await callInLuajit(flat.map(({ call }) => call))
      assert.equal(answers.length, flat.length)
      for (const [i, { call, what, result }] of flat.entries())
        assert.deepEqual(answers[i], result, `${call.module}.${call.name}: ${what}`)
    },
  )

  it('finds every path that a rule is about without asking the rules', () => {
    const parts = [
      '/',
      '/a',
      '/a/',
      '/a/b',
      '/a/b/c.css',
      '/b/a.min.css',
      '/.css',
      '/a.d/b',
      '/A/B.CSS',
      '/a/*',
      '//a/',
      'a/b',
      '/a/b.',
      '',
    ]
    const rules: PathMatch[] = [
      ...['/', '/a', '/a/', '/a/b', '/a/b/', '/b/a.'].map((path) => ({ type: 'directory' as const, path })),
      ...['.css', '.CSS', 'css', '.min.css', '.', 's', '/b', '.d/b'].map((path) => ({
        type: 'extension' as const,
        path,
      })),
      ...['*', '/*', '/a/*', '/a*', '/a/b*c.css', '*.css', '/a/b', '/*/b', ''].map((path) => ({
        type: 'pattern' as const,
        path,
      })),
    ]
    let found = 0
    for (const rule of rules) {
      for (const path of parts) {
        const tail = (/\.[^./]*$/.exec(path)?.[0] ?? '').toLowerCase()
        if (!fits(rule, path)) continue
        found += 1
        assert.ok(mayFit(pathIndex([rule]), path, tail), `${rule.type} ${rule.path} is about ${path}`)
      }
    }
    assert.ok(found > 60, String(found))
  })

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
