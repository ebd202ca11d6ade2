import path from 'node:path'
import { MAIL_RETRY_SECONDS, retryAfter } from '@fairway/domain'
import { openMail, type MailOutcome } from '@fairway/drivers'
import type { Config, Database, Log, Tx } from '@fairway/platform'
import { isBeyondWait } from '../loops/beyond-wait.ts'
import { startLeasedWork } from '../loops/leased-work.ts'
import type { RunningLoop } from '../loops/wake-loop.ts'
import { IS_HELD_LETTER } from '../features/operator/holds-store.ts'
import { endForOperators, notifyOperators } from '../features/notifications/notify-operators.ts'
import { LETTER_PARTNER, renderLetter, type LetterPartner, type MailRow } from './render-letter.ts'

type Due = MailRow & { attempts: number; partner: LetterPartner }

const AT_ONCE = 3
/** Longer than a mail server that is slow in everything. */
const LEASE_SECONDS = 120
/** Nothing is due later, and no lease lasts longer: that was said by a clock that has been set right since. */
const IS_MISDATED = `d.state = 'waiting' AND (${isBeyondWait(MAIL_RETRY_SECONDS)} OR d.leased_until > now() + make_interval(secs => ${2 * LEASE_SECONDS}))`
/** After so many tries of one letter the operator may be told that something is wrong with the server. */
const TELL_AFTER = 3
/** But not while it takes others: none for so long. */
const NONE_SENT_MINUTES = 10
/** What it says of receivers tells something about itself once it has said it of so many that were written to since. */
const SEVERAL_RECEIVERS = 3
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
    due: `SELECT FROM mail_message WHERE state = 'waiting' AND due_at <= now() AND (leased_until IS NULL OR leased_until < now()) AND NOT ${IS_HELD_LETTER} UNION ALL SELECT FROM mail_message d WHERE ${IS_MISDATED}`,
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
      // It may be of a newer release than this worker, or a key could not be read now: tried again like others.
      const problem = error instanceof Error ? error.message : String(error)
      return { outcome: 'refused', problem, isFinal: false, ofLetter: true }
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
export async function takeDue(tx: Tx, limit: number): Promise<Due[]> {
  // A lease that may be in force holds for as long as one lasts.
  await tx.query(
    `UPDATE mail_message SET due_at = least(due_at, now()), turn_at = least(turn_at, now()), leased_until = CASE WHEN leased_until IS NOT NULL THEN least(leased_until, now() + make_interval(secs => ${LEASE_SECONDS})) END
     WHERE id IN (SELECT d.id FROM mail_message d WHERE ${IS_MISDATED} FOR UPDATE SKIP LOCKED)`,
  )
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
  if (outcome.outcome !== 'refused') await endForOperators(tx, INCIDENT)
  else if (
    (outcome.isFinal || (state === 'waiting' && attempts + 1 >= TELL_AFTER)) &&
    (await isServerFailing(tx, outcome))
  )
    await notifyOperators(tx, { event: 'mail-failing', fields: { problem: outcome.problem }, incident: INCIDENT })
}

/**
 * An address that strangers have typed may be refused, or put off for days, by a server that is well. What was sent
 * while a clock was ahead says nothing of now.
 */
async function isServerFailing(tx: Tx, { ofLetter }: { ofLetter: boolean }): Promise<boolean> {
  const [row] = await tx.query<{ is_silent: boolean; receivers: number }>(
    `WITH last AS (SELECT max(sent_at) AS sent_at FROM mail_message WHERE state = 'sent' AND sent_at <= now())
     SELECT last.sent_at IS NULL OR last.sent_at < now() - make_interval(mins => ${NONE_SENT_MINUTES}) AS is_silent,
       (SELECT count(DISTINCT to_address)::int FROM mail_message WHERE (state = 'failed' AND created_at > now() - interval '1 day' OR state = 'waiting' AND attempts >= ${TELL_AFTER}) AND (last.sent_at IS NULL OR created_at > last.sent_at)) AS receivers
     FROM last`,
  )
  return row !== undefined && row.is_silent && (!ofLetter || row.receivers >= SEVERAL_RECEIVERS)
}
