import { openFields } from '../mail/sealed-letters.ts'
import type { MailRow } from '../mail/render-letter.ts'
import type { ApiUnderTest } from './api-under-test.ts'

type Letter = { template: string; fields: Record<string, unknown> }

/** Every letter to an address, newest first. */
export function lettersTo(api: ApiUnderTest, address: string): Promise<Letter[]> {
  return api.database.system(async (tx) =>
    (
      await tx.query<MailRow>(
        'SELECT template, fields FROM mail_message WHERE to_address = $1 ORDER BY created_at DESC, id',
        [address.toLowerCase()],
      )
    ).map((row) => ({ template: row.template, fields: openFields(api.config, row) })),
  )
}

/** The token in the link of the newest letter. @throws Error when there is none */
export async function tokenFor(api: ApiUnderTest, address: string, template: string): Promise<string> {
  const letter = (await lettersTo(api, address)).find((one) => one.template === template)
  const token = new URL(String(letter?.fields['link'])).searchParams.get('token')
  if (!token) throw new Error(`no letter ${template} to ${address}`)
  return token
}
