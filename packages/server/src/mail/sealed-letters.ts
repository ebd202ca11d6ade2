import { redact } from '@fairway/domain'
import { type Config, seal, unseal } from '@fairway/platform'
import type { MailTemplates } from './templates.ts'

/**
 * Letters with which whoever reads them gets into an account. What they are filled with lies sealed in the database, so
 * that a copy of it, or of its log, opens nothing.
 */
export type SealedTemplate = 'verify-email' | 'reset-password' | 'invite' | 'invite-elsewhere' | 'email-change'
const SEALED: ReadonlySet<keyof MailTemplates> = new Set<SealedTemplate>([
  'verify-email',
  'reset-password',
  'invite',
  'invite-elsewhere',
  'email-change',
])
const PURPOSE = 'letter'

export const isSealed = (template: keyof MailTemplates): template is SealedTemplate => SEALED.has(template)

export function sealFields<T extends SealedTemplate>(
  config: Pick<Config, 'home'>,
  template: T,
  fields: MailTemplates[T],
): { sealed: string } {
  return { sealed: seal(config, `${PURPOSE} ${template}`, JSON.stringify(fields)) }
}

type Stored = { template: keyof MailTemplates; fields: MailTemplates[keyof MailTemplates] | { sealed: string } }

/** What a stored letter is filled with. */
export function openFields(
  config: Pick<Config, 'home'>,
  { template, fields }: Stored,
): MailTemplates[keyof MailTemplates] {
  return 'sealed' in fields
    ? (JSON.parse(unseal(config, `${PURPOSE} ${template}`, fields.sealed)) as MailTemplates[SealedTemplate])
    : fields
}

/** The same without what opens an account: for copies that others than the receiver may come by. */
export function withoutSecret<F extends MailTemplates[keyof MailTemplates]>(
  template: keyof MailTemplates,
  fields: F,
): F {
  if (!isSealed(template)) return fields
  const hidden = Object.entries(fields).map(([name, value]): [string, unknown] => [
    name,
    name === 'code' ? '••••••' : name === 'link' && typeof value === 'string' ? redact(value) : value,
  ])
  return Object.fromEntries(hidden) as F
}
