import fs from 'node:fs'
import path from 'node:path'
import nodemailer from 'nodemailer'
import type { MailDriver } from './mail.ts'
import { messageOf } from './message-of.ts'

const KEPT = 200

/**
 * Without a mail server: every letter is composed as it would be sent and kept as a file that mail programs open, the
 * newest 200 of them.
 */
export function openOutbox(folder: string): MailDriver {
  const composer = nodemailer.createTransport({ streamTransport: true, buffer: true, newline: 'unix' })
  return {
    id: 'outbox',
    async deliver(letter) {
      try {
        if (!/^[^\s@]+@[^\s@]+$/.test(letter.to))
          return { outcome: 'refused', problem: 'not an address', isFinal: true, ofLetter: true }
        const { message } = await composer.sendMail(messageOf(letter))
        fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
        fs.writeFileSync(
          path.join(folder, `${new Date().toISOString().replaceAll(':', '-')}-${path.basename(letter.id)}.eml`),
          message as Buffer,
          { mode: 0o600 },
        )
        for (const old of fs
          .readdirSync(folder)
          .filter((name) => name.endsWith('.eml'))
          .sort()
          .slice(0, -KEPT))
          fs.rmSync(path.join(folder, old), { force: true })
        return { outcome: 'kept' }
      } catch (error) {
        const problem = error instanceof Error ? error.message : String(error)
        return { outcome: 'refused', problem, isFinal: false, ofLetter: false }
      }
    },
    async [Symbol.asyncDispose]() {
      composer.close()
    },
  }
}
