import type { Database } from '@fairway/platform'
import type { CardFacts } from '../gateway.ts'
import type { CardBehaviour } from './test-cards.ts'
import type { ChargeAnswer, CardSetupState } from '../gateway.ts'

type Bodies = {
  customer: { organizationId: string }
  intent: { customerRef: string; clientSecret: string; outcome: CardSetupState | null }
  card: CardFacts & { customerRef: string; behaviour: CardBehaviour; removed: boolean }
  charge: { answer: ChargeAnswer; amountMinor: number; refundedMinor: number }
  refund: { chargeRef: string; amountMinor: number }
}
export type SandboxKind = keyof Bodies

/** What the sandbox provider remembers, apart from everything of ours. */
export type SandboxStore = {
  get<K extends SandboxKind>(kind: K, id: string): Promise<Bodies[K] | null>
  /** Keeps what is there already. @returns what is there afterwards */
  add<K extends SandboxKind>(kind: K, id: string, body: Bodies[K]): Promise<Bodies[K]>
  /** Changes one object under its lock; null when it is not there. */
  change<K extends SandboxKind>(kind: K, id: string, change: (body: Bodies[K]) => Bodies[K]): Promise<Bodies[K] | null>
}

/** Beside the transaction of the call that pays, which has a connection already. */
export function sandboxStore(database: Database): SandboxStore {
  return {
    get: (kind, id) =>
      database.aside(
        async (tx) =>
          (
            await tx.query<{ body: Bodies[typeof kind] }>(
              'SELECT body FROM sandbox_payment WHERE id = $1 AND kind = $2',
              [id, kind],
            )
          )[0]?.body ?? null,
      ),
    add: (kind, id, body) =>
      database.aside(async (tx) => {
        await tx.query('INSERT INTO sandbox_payment (id, kind, body) VALUES ($1, $2, $3) ON CONFLICT (id) DO NOTHING', [
          id,
          kind,
          JSON.stringify(body),
        ])
        return (
          (await tx.query<{ body: Bodies[typeof kind] }>('SELECT body FROM sandbox_payment WHERE id = $1', [id]))[0]
            ?.body ?? body
        )
      }),
    change: (kind, id, change) =>
      database.aside(async (tx) => {
        const row = (
          await tx.query<{ body: Bodies[typeof kind] }>(
            'SELECT body FROM sandbox_payment WHERE id = $1 AND kind = $2 FOR UPDATE',
            [id, kind],
          )
        )[0]
        if (!row) return null
        const body = change(row.body)
        await tx.query('UPDATE sandbox_payment SET body = $2 WHERE id = $1', [id, JSON.stringify(body)])
        return body
      }),
  }
}
