import { describe } from 'node:test'
import { hasHostileEntities, isXml } from '@fairway/domain'
import { holdsInBothWorlds, type Table } from '../testing/both-worlds.ts'

const MODULE = 'domain.src.web-security.rule-sets.xml-entities'
const TABLES: Table[] = [
  [
    MODULE,
    'hasHostileEntities',
    hasHostileEntities,
    [
      ['nothing', [''], false],
      ['one letter', ['<'], false],
      ['no declaration', ['<a>SYSTEM &amp;</a>'], false],
      ['a plain entity', ['<!DOCTYPE a [<!ENTITY x "y">]><a/>'], false],
      ['a file', ['<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a/>'], true],
      ['behind a plain one', ['<!ENTITY a "b"><!ENTITY x PUBLIC "a" "b">'], true],
      ['of others', ['<!ENTITY a "b"><!ENTITY x "&a;">'], true],
      ['without an end', ['<!ENTITY x SYSTEM'], true],
    ],
  ],
  [
    MODULE,
    'isXml',
    isXml,
    [
      ['none', [''], false],
      ['text', ['text/xml'], true],
      ['with a parameter', ['Application/XML ; charset=utf-8'], true],
      ['another of that kind', ['application/soap+xml'], true],
      ['a picture', ['image/svg+xml'], false],
      ['JSON', ['application/json'], false],
    ],
  ],
]

describe('XML entities', () => {
  holdsInBothWorlds(TABLES)
})
