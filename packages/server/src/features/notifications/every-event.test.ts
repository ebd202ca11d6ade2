import assert from 'node:assert/strict'
import fs from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { EVENTS } from '@fairway/domain'

const SOURCES = path.resolve(import.meta.dirname, '../..')

test('of everything that people can choose to be told, something tells them', () => {
  const texts = fs
    .readdirSync(SOURCES, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts') && !name.startsWith('testing'))
    .map((name) => fs.readFileSync(path.join(SOURCES, name), 'utf8'))
    .filter((text) => /\bnotify\w*\(|continueIncident\(/.test(text))
  const isSent = (event: string) =>
    texts.some((text) => text.match(/\bevent: [^,\n]*/g)?.some((said) => said.includes(`'${event}'`)))
  assert.deepEqual(
    Object.keys(EVENTS).filter((event) => !isSent(event)),
    [],
  )
})
