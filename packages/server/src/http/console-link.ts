import type { Config, Tx } from '@fairway/platform'

/**
 * The whole address of a console page under the partner's own host name, for letters and payment pages.
 * Never made from the request: a forged Host header must not decide where a password link leads.
 */
export async function consoleLink(tx: Tx, config: Config, partnerId: string, path: `/${string}`): Promise<string> {
  const rows = await tx.query<{ host_name: string | null }>('SELECT host_name FROM partner WHERE id = $1', [partnerId])
  const base = new URL(config.publicUrl)
  if (rows[0]?.host_name) base.hostname = rows[0].host_name
  return new URL(path, base).href
}
