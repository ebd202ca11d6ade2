import { type Partner, PartnerSettings } from '@fairway/contract'
import { z } from 'zod'

const EMPTY_IS_NULL = ['hostName', 'contactEmail', 'termsLink', 'privacyPolicyLink'] as const
type Emptiable = (typeof EMPTY_IS_NULL)[number]

/** The settings as a form holds them: a text that is not set is empty, never null. */
export type PartnerFields = Omit<PartnerSettings, Emptiable> & Record<Emptiable, string>

export function fieldsOf(partner: Partner): PartnerFields {
  const settings = PartnerSettings.parse(partner)
  return {
    ...settings,
    hostName: settings.hostName ?? '',
    contactEmail: settings.contactEmail ?? '',
    termsLink: settings.termsLink ?? '',
    privacyPolicyLink: settings.privacyPolicyLink ?? '',
  }
}

export function settingsOf(fields: PartnerFields): PartnerSettings {
  const orNull = (text: string) => (text.trim() === '' ? null : text)
  return {
    ...fields,
    hostName: orNull(fields.hostName),
    contactEmail: orNull(fields.contactEmail),
    termsLink: orNull(fields.termsLink),
    privacyPolicyLink: orNull(fields.privacyPolicyLink),
  }
}

/** The contract's rules over what the form holds; only the installation's own brand is without a host name. */
export function schemaOf({ isDefault }: Partner): z.ZodType<unknown, PartnerFields> {
  const rules = isDefault
    ? PartnerSettings
    : PartnerSettings.extend({ hostName: PartnerSettings.shape.hostName.unwrap() })
  // Holds because `settingsOf` takes exactly what the form holds.
  return z.preprocess((fields) => settingsOf(fields as PartnerFields), rules) as z.ZodType<unknown, PartnerFields>
}
