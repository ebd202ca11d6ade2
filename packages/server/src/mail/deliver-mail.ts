import path from 'node:path'
import { MAIL_RETRY_SECONDS, retryAfter } from '@fairway/domain'
import { openMail, type MailOutcome } from '@fairway/drivers'
import type { Config, Database, Log, Tx } from '@fairway/platform'
import { startLeasedWork } from '../loops/leased-work.ts'
import type { RunningLoop } from '../loops/wake-loop.ts'
import { IS_HELD_LETTER } from '../features/operator/holds-store.ts'
import { endForOperators, notifyOperators } from '../features/notifications/notify-operators.ts'
import { LETTER_PARTNER, renderLetter, type LetterPartner, type MailRow } from './render-letter.ts'

type Due = MailRow & { attempts: number; partner: LetterPartner }

const AT_ONCE = 3
/** Longer than a mail server that is slow in everything. */
const LEASE_SECONDS = 120
/** After so many tries of one letter the operator is told that something is wrong with the server. */
const TELL_AFTER = 3
const INCIDENT = 'mail-failing'

/**
 * Delivers letters as they come: by the mail server of the settings, or into the outbox when there is none. What a
 * server cannot take now is tried again, for two days.
 */
export function startMail(config: Config, database: Database, log: Log): RunningLoop {
  const driver = openMail({ smtpUrl: config.smtpUrl, folder: path.join(config.home, 'outbox') })
  const running = startLeasedWork<Due>(database, log, {
    name: 'mail',
    channel: 'mail',
    atOnce: AT_ONCE,
    due: `SELECT FROM mail_message WHERE state = 'waiting' AND due_at <= now() AND (leased_until IS NULL OR leased_until < now()) AND NOT ${IS_HELD_LETTER}`,
    take: takeDue,
    async work(row) {
      const outcome = await deliver(row)
      if (outcome.outcome === 'refused')
        log.warn({
          event: 'mail.refused',
          letter: row.id,
          template: row.template,
          problem: outcome.problem,
          isFinal: outcome.isFinal,
        })
      await database.system((tx) => settle(tx, row, outcome))
    },
  })
  // Files outlive the links that they would hold; the operator's page shows those while they work.
  const hidden = { hidesSecret: driver.id === 'outbox' }
  const deliver = async (row: Due): Promise<MailOutcome> => {
    try {
      return await driver.deliver({ id: row.id, ...renderLetter(config, row, row.partner, hidden) })
    } catch (error) {
      // A letter that cannot be written now cannot be written later either.
      return { outcome: 'refused', problem: error instanceof Error ? error.message : String(error), isFinal: true }
    }
  }
  return {
    ...running,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]()
      await driver[Symbol.asyncDispose]()
    },
  }
}

/** The next letters by their turns, whatever one organisation has written: see `enqueueMail`. */
export function takeDue(tx: Tx, limit: number): Promise<Due[]> {
  return tx.query<Due>(
    `WITH taken AS (SELECT id FROM mail_message WHERE state = 'waiting' AND due_at <= now() AND (leased_until IS NULL OR leased_until < now()) AND NOT ${IS_HELD_LETTER} ORDER BY turn_at LIMIT $1 FOR UPDATE SKIP LOCKED)
     UPDATE mail_message m SET leased_until = now() + make_interval(secs => ${LEASE_SECONDS}) FROM taken, partner p WHERE m.id = taken.id AND p.id = m.partner_id
     RETURNING m.id, m.to_address, m.template, m.locale, m.fields, m.attempts, ${LETTER_PARTNER} AS partner`,
    [limit],
  )
}

async function settle(tx: Tx, { id, attempts }: Due, outcome: MailOutcome): Promise<void> {
  const waitSeconds =
    outcome.outcome === 'refused' && !outcome.isFinal
      ? retryAfter(MAIL_RETRY_SECONDS, attempts + 1, Math.random())
      : null
  const state = outcome.outcome !== 'refused' ? outcome.outcome : waitSeconds === null ? 'failed' : 'waiting'
  const problem = outcome.outcome === 'refused' ? outcome.problem : null
  await tx.query(
    `UPDATE mail_message SET state = $2, attempts = attempts + 1, problem = $3, leased_until = NULL, sent_at = CASE WHEN $2 = 'sent' THEN now() ELSE sent_at END, due_at = now() + make_interval(secs => $4), turn_at = greatest(turn_at, now() + make_interval(secs => $4)) WHERE id = $1`,
    [id, state, problem, waitSeconds ?? 0],
  )
  if (state === 'sent') await endForOperators(tx, INCIDENT)
  else if (state === 'waiting' && attempts + 1 >= TELL_AFTER)
    await notifyOperators(tx, { event: 'mail-failing', fields: { problem: problem ?? '' }, incident: INCIDENT })
}
