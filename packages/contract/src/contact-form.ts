import { z } from 'zod'
import { Email, Locale, PersonName } from './auth.ts'
import { feature, post } from './route.ts'

/** What somebody who is no customer yet writes to those who sell. */
export const Enquiry = z.object({
  email: Email,
  firstName: PersonName,
  lastName: PersonName,
  company: z.string().trim().max(80).default(''),
  message: z.string().trim().min(1).max(4000),
  /** Path of the page that it was written on. */
  page: z.string().max(300),
  locale: Locale.default('en'),
})
export type Enquiry = z.infer<typeof Enquiry>

export const contactForm = feature('contact-form', {
  send: post('/portal/v2/contact-form/', {
    in: Enquiry,
    out: z.object({}),
    permission: 'public',
    errors: [503, 1530],
    audit: null,
    changes: [],
    summary: 'Writes to those who sell: to the marketing form of the settings, else by letter.',
  }),
})
