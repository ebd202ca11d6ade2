import assert from 'node:assert/strict'
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'
import { startSmtp } from '../testing/smtp-under-test.ts'
import { letter, mailConformance } from './mail.conformance.ts'
import { openMail } from './open-mail.ts'

mailConformance('outbox', async () => {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'fairway-outbox-'))
  return {
    driver: openMail({ smtpUrl: '', folder }),
    arrived: async () =>
      fs
        .readdirSync(folder)
        .sort()
        .map((name) => fs.readFileSync(path.join(folder, name), 'utf8')),
    stop: async () => fs.rmSync(folder, { recursive: true }),
  }
})

mailConformance('smtp', async () => {
  const server = await startSmtp()
  const driver = openMail({ smtpUrl: server.url, folder: '' })
  return {
    driver,
    arrived: async () => server.letters.map(({ raw }) => raw),
    async stop() {
      await driver[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
    },
  }
})

test('a receiver that the server refuses for good is not tried again; one that it cannot take now is', async () => {
  await using server = await startSmtp()
  await using driver = openMail({ smtpUrl: server.url, folder: '' })
  server.refuse({ address: 'gone@example.com', code: 554 })
  const gone = await driver.deliver(letter({ to: 'gone@example.com' }))
  assert.ok(gone.outcome === 'refused' && gone.isFinal && gone.problem.includes('554'), JSON.stringify(gone))
  server.refuse({ address: 'full@example.com', code: 452 })
  const full = await driver.deliver(letter({ to: 'full@example.com' }))
  assert.ok(full.outcome === 'refused' && !full.isFinal && full.ofLetter, JSON.stringify(full))
  assert.deepEqual(await driver.deliver(letter({ to: 'ann@example.com' })), { outcome: 'sent' })
  assert.deepEqual(
    server.letters.map(({ to }) => to),
    [['ann@example.com']],
  )
})

test('a server that refuses us says nothing of the letter, which is tried again', async () => {
  await using server = await startSmtp()
  for (const at of ['greeting', 'MAIL FROM'] as const) {
    await using driver = openMail({ smtpUrl: server.url, folder: '' })
    server.refuse({ at, code: 554 })
    const refused = await driver.deliver(letter())
    assert.ok(refused.outcome === 'refused' && refused.problem.includes('554'), JSON.stringify(refused))
    assert.deepEqual([refused.isFinal, refused.ofLetter], [false, false], at)
    server.refuse(null)
    assert.deepEqual(await driver.deliver(letter()), { outcome: 'sent' })
  }
})

test('a server that is down is tried again, and takes letters when it is back', async () => {
  const first = await startSmtp()
  await using driver = openMail({ smtpUrl: first.url, folder: '' })
  assert.deepEqual(await driver.deliver(letter()), { outcome: 'sent' })
  await first[Symbol.asyncDispose]()
  const away = await driver.deliver(letter())
  assert.ok(away.outcome === 'refused' && !away.isFinal && !away.ofLetter, JSON.stringify(away))
  await using second = await startSmtp({ port: first.port })
  assert.deepEqual(await driver.deliver(letter()), { outcome: 'sent' })
  assert.equal(second.letters.length, 1)
})

test('a wrong password of our own is not held against the letter', async () => {
  await using server = await startSmtp({ password: 'right' })
  await using wrong = openMail({ smtpUrl: server.url.replace('right', 'wrong'), folder: '' })
  const refused = await wrong.deliver(letter())
  assert.ok(refused.outcome === 'refused' && !refused.isFinal && !refused.ofLetter, JSON.stringify(refused))
  await using right = openMail({ smtpUrl: server.url, folder: '' })
  assert.deepEqual(await right.deliver(letter()), { outcome: 'sent' })
})
