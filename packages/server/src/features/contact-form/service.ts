import { contactForm } from '@fairway/contract'
import { FormAway, submitForm } from '@fairway/drivers'
import type { Tx } from '@fairway/platform'
import { consoleLink } from '../../http/console-link.ts'
import { Failure } from '../../http/failure.ts'
import { type PartnerRow, partnerOfHost } from '../../http/partner-of.ts'
import { slice } from '../../http/register.ts'
import { enqueueMail } from '../../mail/enqueue-mail.ts'
import { enquiryLimits, takeAttempts } from '../auth/attempts.ts'

export const contactFormSlice = slice(contactForm, {
  async send(
    { tx, actor, services: { config, database }, reply },
    { email, firstName, lastName, company, message, page, locale },
  ) {
    await takeAttempts(database, enquiryLimits(actor.ip))
    const partner = await partnerOfHost(tx, reply.request)
    if (config.marketingFormUrl === '') {
      await enqueueMail(tx, {
        to: await sellerOf(tx, partner),
        partnerId: partner.id,
        organizationId: null,
        locale,
        template: 'enquiry',
        fields: { email, name: `${firstName} ${lastName}`, company, message, page },
      })
      return {}
    }
    const pageUri = await consoleLink(tx, config, partner.id, page.startsWith('/') ? `/${page.slice(1)}` : '/')
    await submitForm(
      config.marketingFormUrl,
      { email, firstname: firstName, lastname: lastName, company, message },
      pageUri,
    ).catch((error: unknown) => {
      throw error instanceof FormAway ? new Failure(503, { internal: error.message }) : error
    })
    return {}
  },
})

/** Who is written to: the partner's own address, or whoever has run the installation longest. */
async function sellerOf(tx: Tx, { contact_email }: PartnerRow): Promise<string> {
  if (contact_email !== null) return contact_email
  const [operator] = await tx.query<{ email: string }>(
    'SELECT email FROM app_user WHERE is_operator AND NOT suspended ORDER BY created_at LIMIT 1',
  )
  if (!operator) throw new Failure(503, { internal: 'nobody is there to be written to' })
  return operator.email
}
