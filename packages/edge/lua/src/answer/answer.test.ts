import { describe } from 'node:test'
import { isCompressible, sharedEncodings } from './encodings.ts'
import { sharedLanguages } from './languages.ts'
import { bodyForm, languageOf } from './negotiate.ts'
import { pageHtml } from './page.ts'
import { holdsInBothWorlds, type Table } from '../testing/both-worlds.ts'

const TABLES: Table[] = [
  [
    'answer.encodings',
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
    'answer.languages',
    'sharedLanguages',
    sharedLanguages,
    [
      ["a browser's", ['en-US,en;q=0.9,zh-TW;q=0.8'], 'en-US,en;q=0.9,zh-TW;q=0.8'],
      ['blanks and letters', [' eN-us ,  De; Q=0.5'], 'en-US,de;q=0.5'],
      ['a script, and what follows a single letter', ['ZH-HANT-tw, x-PR-abcd'], 'zh-Hant-TW,x-pr-Abcd'],
      ['the order stays', ['de, en'], 'de,en'],
      ['empty items', [',en,,'], 'en'],
      ['one that is too long stays as it is', [`${'en, '.repeat(40)}de`], `${'en, '.repeat(40)}de`],
    ],
  ],
  [
    'answer.encodings',
    'isCompressible',
    isCompressible,
    [
      ['text', ['text/html; charset=utf-8'], true],
      ['a picture', ['image/png'], false],
      ['a drawing', ['image/svg+xml'], true],
    ],
  ],
  [
    'answer.page',
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
    'answer.negotiate',
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
    'answer.negotiate',
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
]

describe('what a visitor is told is decided', () => {
  holdsInBothWorlds(TABLES)
})
