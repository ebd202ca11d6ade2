import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hasHostileEntities, isXml } from './xml-entities.ts'

test('entities from elsewhere and of other entities are hostile, those of plain words are not', () => {
  const of = (declared: string) => `<?xml version="1.0"?><!DOCTYPE a [${declared}]><a>&x;</a>`
  for (const declared of [
    '<!ENTITY x SYSTEM "file:///etc/passwd">',
    '<!ENTITY % x PUBLIC "a" "http://evil.example/a.dtd">',
    '<!ENTITY a "b"><!ENTITY x "&a;&a;">',
    '<!ENTITY x SYSTEM "never ends',
  ])
    assert.ok(hasHostileEntities(of(declared)), declared)
  for (const declared of ['', '<!ELEMENT a (#PCDATA)>', '<!ENTITY x "http://www.w3.org/2000/svg">'])
    assert.ok(!hasHostileEntities(of(declared)), declared)
  assert.ok(!hasHostileEntities('<a>Fish &amp; chips, SYSTEM</a>'))
  assert.ok(!hasHostileEntities(''))
  assert.ok(hasHostileEntities('\xff\xfe<\0a\0>\0'))
  assert.ok(hasHostileEntities('\0<\0a\0>'))
})

test('XML is known by its type, and pictures are none', () => {
  for (const type of ['text/xml', 'application/xml; charset=utf-8', 'application/soap+xml', ' Text/XML '])
    assert.ok(isXml(type), type)
  for (const type of ['', 'image/svg+xml', 'application/json', 'text/xmlish']) assert.ok(!isXml(type), type)
})
