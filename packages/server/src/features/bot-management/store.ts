import type { BotManagement } from '@fairway/contract'
import { BOT_BEGINNING, BOT_DEFAULTS } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { usesShield } from '../web-security/uses-shield.ts'

type Row = {
  security_level: BotManagement['securityLevel']
  challenge_mode: BotManagement['challengeMode']
  integrity_check: BotManagement['integrityCheck']
  clearance_seconds: number
  verified_crawlers: boolean
}

/** What was set, else what a domain begins with when it uses the shield. */
export async function botManagementOf(tx: Tx, domainId: string): Promise<BotManagement> {
  const [row] = await tx.query<Row>('SELECT * FROM bot_management WHERE id = $1', [domainId])
  if (!row) return (await usesShield(tx, domainId)) ? BOT_DEFAULTS : BOT_BEGINNING
  return {
    securityLevel: row.security_level,
    challengeMode: row.challenge_mode,
    integrityCheck: row.integrity_check,
    clearanceSeconds: row.clearance_seconds,
    verifiedCrawlers: row.verified_crawlers,
  }
}

export async function setBotManagement(
  tx: Tx,
  place: { organizationId: string; siteId: string; domainId: string },
  wanted: BotManagement,
): Promise<void> {
  await tx.query(
    `INSERT INTO bot_management (id, organization_id, site_id, security_level, challenge_mode, integrity_check, clearance_seconds, verified_crawlers)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO UPDATE SET
       security_level = $4, challenge_mode = $5, integrity_check = $6, clearance_seconds = $7, verified_crawlers = $8, modified_at = now()`,
    [
      place.domainId,
      place.organizationId,
      place.siteId,
      wanted.securityLevel,
      wanted.challengeMode,
      wanted.integrityCheck,
      wanted.clearanceSeconds,
      wanted.verifiedCrawlers,
    ],
  )
}
