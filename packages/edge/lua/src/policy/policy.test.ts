import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { CdnDocument } from './documents.ts'
import type { PathMatch } from './path-rules.ts'
import { faultOf } from './fault.ts'
import { hostCandidates } from './host-candidates.ts'
import { isAddress, isHostText } from './host-text.ts'
import { anyFits, fits, fitsPieces, mayFit, pathIndex, ruleFor } from './path-match.ts'
import { holdsInBothWorlds, type Table } from '../testing/both-worlds.ts'

const cdn = (more: Partial<CdnDocument>) => ({
  cdnId: 'a',
  slug: 'a',
  address: '127.0.0.11',
  mode: 'up',
  addMs: 0,
  percent: 0,
  ...more,
})

const TABLES: Table[] = [
  [
    'policy.path-match',
    'fitsPieces',
    fitsPieces,
    [
      ['all', [['/', ''], '/a/b'], true],
      ['in the middle', [['/a/', '/c.js'], '/a/b/b/c.js'], true],
      ['not the end', [['/a/', '.js'], '/a/x.jsx'], false],
      ['exactly', [['/a'], '/a'], true],
      ['more than exactly', [['/a'], '/ab'], false],
      ['shorter', [['/ab'], '/a'], false],
      ['many stars end', [[...'/aaaaaaaaaaaaaaaaaaaa', 'b'], `/${'a'.repeat(200)}`], false],
      ['a trailing star may be empty', [['/a', ''], '/a'], true],
      ['beginning and end share nothing', [['/aa', 'aa'], '/aaa'], false],
      ['what is in the middle comes before the end', [['/', 'ab', 'b'], '/ab'], false],
      ['signs of patterns are letters', [['/', '.%-', '.b'], '/x.%-.b'], true],
      ['stars beside each other', [['/', '', '', 'b'], '/b'], true],
    ],
  ],
  [
    'policy.path-match',
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
    'policy.path-match',
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
    'policy.path-match',
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
    'policy.fault',
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
    'policy.host-candidates',
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
    'policy.host-text',
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
    'policy.host-text',
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
]

describe('which policy a request obeys is decided', () => {
  holdsInBothWorlds(TABLES)

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
    for (const { type, path } of rules.filter((rule) => rule.type === 'pattern')) {
      const wanted = new RegExp(`^${path.replaceAll('.', '[.]').replaceAll('*', '.*')}$`)
      for (const part of parts) assert.equal(fits({ type, path }, part), wanted.test(part), `${path} ${part}`)
    }
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
})
