import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { holdsInBothWorlds, type Table } from '../testing/both-worlds.ts'
import { hintsOf } from './hints.ts'

const TABLES: Table[] = [
  [
    'front.hints',
    'hintsOf',
    hintsOf,
    [
      ['what is to be fetched', ['</a.css>; rel=preload; as=style'], '</a.css>; rel=preload; as=style'],
      ['in quotes', ['</a.js>; as="script"; rel="preload"'], '</a.js>; as="script"; rel="preload"'],
      ['a host to connect to', ['<https://fonts.test>; rel=preconnect'], '<https://fonts.test>; rel=preconnect'],
      [
        'among others, whose commas and quotes split nothing',
        ['<https://a.test/x,y>; rel=canonical, </a,b.css>; rel=preload; title="a, <b>", </>; rel="next"'],
        '</a,b.css>; rel=preload; title="a, <b>"',
      ],
      ['of several relations each has to be a hint', ['</a>; rel="preload next"'], ''],
      ['the first relation counts', ['</a>; rel=next; rel=preload'], ''],
      ['other parameters are none', ['</a>; relation=preload'], ''],
      ['nothing', [''], ''],
      ['no address', ['rel=preload, <>; rel=preload'], ''],
      ['what does not end', ['</a.css>; rel=preload, </b; rel=preload'], '</a.css>; rel=preload'],
      ['another line', ['</a.css>; rel=preload\r\nSet-Cookie: a=b'], ''],
      [
        'sixteen at most',
        [Array(20).fill('</a>; rel=preload').join(', ')],
        Array(16).fill('</a>; rel=preload').join(', '),
      ],
      ['too long', [`</${'a'.repeat(9000)}>; rel=preload`], ''],
    ],
  ],
]

describe('hints', () => holdsInBothWorlds(TABLES))

test('whatever a Link header holds, hints are a part of it, in one line and of bounded length', () => {
  const link = fc.oneof(fc.string(), fc.stringMatching(/^[<>"\\,; a-z=/]{0,80}$/), fc.constant('</a>; rel=preload, '))
  fc.assert(
    fc.property(
      fc.array(link).map((parts) => parts.join('')),
      (text) => {
        const hints = hintsOf(text)
        assert.match(hints, /^[ -~]{0,2000}$/)
        for (const one of hints.split(', ')) assert.ok(text.includes(one))
      },
    ),
  )
})
