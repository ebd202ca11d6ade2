import nodemailer from 'nodemailer'
import type { MailDriver, MailOutcome } from './mail.ts'
import { messageOf } from './message-of.ts'

/**
 * Longer than a server that greets slowly on purpose takes (RFC 5321 4.5.3.2 allows minutes; a worker waits less and
 * tries again).
 */
const PATIENCE_MS = 20_000

/**
 * A mail server by URL: `smtp://` (STARTTLS when it is offered) or `smtps://`, with user and password in it when it
 * asks for them.
 */
export function openSmtp(url: string): MailDriver {
  const transport = nodemailer.createTransport({
    url,
    pool: true,
    maxConnections: 3,
    maxMessages: 50,
    connectionTimeout: PATIENCE_MS,
    greetingTimeout: PATIENCE_MS,
    socketTimeout: PATIENCE_MS,
  })
  // Connections of the pool that break between letters; the next letter opens another.
  transport.on('error', () => {})
  return {
    id: 'smtp',
    async deliver(letter) {
      try {
        await transport.sendMail(messageOf(letter))
        return { outcome: 'sent' }
      } catch (error) {
        return refusalOf(error)
      }
    },
    async [Symbol.asyncDispose]() {
      transport.close()
    },
  }
}

/**
 * A server's 5xx is its last word about a letter (RFC 5321 4.2.1) where it answers to the receiver or the text. To our
 * greeting, sign-in or sender it speaks of itself or of us, and that may pass, as all else may.
 */
function refusalOf(error: unknown): Extract<MailOutcome, { outcome: 'refused' }> {
  const { message, responseCode, code, command } = error as {
    message?: string
    responseCode?: number
    code?: string
    command?: string
  }
  const isWord = responseCode !== undefined && responseCode >= 500 && responseCode < 600 && responseCode !== 530
  // An address that cannot be said to any server.
  const isUnsayable = code === 'EENVELOPE' && responseCode === undefined
  // 421 is the server's word about itself, whatever it answers (RFC 5321 3.8).
  const ofLetter = isUnsayable || ((command === 'RCPT TO' || command === 'DATA') && responseCode !== 421)
  const problem = (message ?? String(error)).slice(0, 500)
  return { outcome: 'refused', problem, isFinal: isUnsayable || (isWord && ofLetter), ofLetter }
}
