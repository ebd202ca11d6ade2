/** What a partner may hide from its customers (`hide_feature`): menu entries, screens and routes together. */
export const PARTNER_FEATURES = ['support', 'price', 'pulse', 'powerUps', 'account', 'billing', 'apiGenerate'] as const
export type PartnerFeature = (typeof PARTNER_FEATURES)[number]
