import { type EventStore, StoreAway, loggedUsage, vendorUsage } from '@fairway/analytics'
import { type LineUsage, Meter } from '@fairway/contract'
import { usageAmount } from '@fairway/domain'
import type { Tx } from '@fairway/platform'
import { askStore } from '../../http/ask-store.ts'
import { Failure } from '../../http/failure.ts'
import type { StoredInvoice, StoredLine } from './invoice-store.ts'
import { usageOfLine } from './invoice-store.ts'
import { presentLine } from './present.ts'
import { streamUsage } from './stream-usage.ts'

/** How long the nodes' logs are kept as they came. */
const LOGS_KEPT_MS = 30 * 86_400_000
const PATIENCE_MS = 3_000

/**
 * The usage behind a line, the line worked out again from it, and what the logs say of the same time now. @throws
 * Failure 7499 for a line that stands for no usage
 */
export async function explainLine(
  tx: Tx,
  events: EventStore,
  invoice: StoredInvoice,
  line: StoredLine | undefined,
  now: Date,
): Promise<LineUsage> {
  const meter = Meter.safeParse(line?.item_id)
  if (!line || line.kind !== 'usage' || !meter.success) throw new Failure(7499)
  const rows = await usageOfLine(tx, invoice.id, line.number)
  const total = rows.reduce((sum, row) => sum + row.used, 0)
  return {
    line: presentLine(line),
    meter: meter.data,
    currency: invoice.currency,
    total,
    rows: rows.map((row) => ({
      day: row.day,
      site: row.site_name,
      domain: row.domain_name,
      cdn: row.cdn_name,
      used: row.used,
    })),
    recomputedMinor: usageAmount(total, line.included ?? 0, {
      units: line.rate_units ?? 1,
      minor: line.rate_minor ?? 0,
    }),
    loggedNow: await loggedNow(tx, events, invoice, line, meter.data, now),
  }
}

async function loggedNow(
  tx: Tx,
  events: EventStore,
  invoice: StoredInvoice,
  line: StoredLine,
  meter: Meter,
  now: Date,
): Promise<number | null> {
  if (line.from_at.getTime() < now.getTime() - LOGS_KEPT_MS) return null
  const input = {
    from: line.from_at.getTime(),
    until: line.until_at.getTime(),
    organizationId: invoice.organization_id,
  }
  const question = Promise.all([loggedUsage(events, input), vendorUsage(events, input), streamUsage(tx, input)])
  try {
    return (await askStore(question, PATIENCE_MS))
      .flat()
      .filter((row) => row.meter === meter)
      .reduce((sum, row) => sum + row.used, 0)
  } catch (error) {
    // The line stands by itself; the comparison is an extra.
    if (error instanceof StoreAway || (error instanceof Failure && error.code === 503)) return null
    throw error
  }
}
