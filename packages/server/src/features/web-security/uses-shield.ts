import type { Tx } from '@fairway/platform'

/** Whether a domain's web security is in force. */
export const usesShield = async (tx: Tx, domainId: string): Promise<boolean> =>
  (await tx.query(`SELECT FROM domain WHERE id = $1 AND origin_shield = 'use'`, [domainId])).length > 0
