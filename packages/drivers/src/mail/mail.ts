/** A letter ready to leave: both forms say the same. */
export type OutgoingLetter = {
  /** Becomes part of the Message-ID, so that a letter which is sent twice after a crash is recognised. */
  id: string
  from: { name: string; address: string }
  to: string
  replyTo: string | null
  subject: string
  html: string
  text: string
  /** BCP 47. */
  language: string
  /** Where the receiver chooses what comes by mail; null for letters that everyone gets. */
  preferencesUrl: string | null
  /** Signs the letter for the sender's domain (RFC 6376); the key is PEM. */
  dkim: { domainName: string; keySelector: string; privateKey: string } | null
}

/**
 * `kept`: there is no mail server, the letter stays for the operator. `isFinal`: trying again is of no use. `ofLetter`:
 * said of this letter or its receiver, and nothing of what others will be told.
 */
export type MailOutcome =
  | { outcome: 'sent' }
  | { outcome: 'kept' }
  | { outcome: 'refused'; problem: string; isFinal: boolean; ofLetter: boolean }

/** Takes letters to people. Whatever goes wrong is an outcome, nothing is thrown. */
export interface MailDriver extends AsyncDisposable {
  id: 'outbox' | 'smtp'
  deliver(letter: OutgoingLetter): Promise<MailOutcome>
}
