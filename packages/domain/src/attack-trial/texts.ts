import harmless from './harmless-texts.json' with { type: 'json' }
import payloads from './payloads.json' with { type: 'json' }

/** Written from what such attacks must do to work, before any rule was looked at; by what they try. */
export const ATTACK_PAYLOADS: Record<string, string[]> = payloads.attacks
/** How programs that look for holes call themselves. */
export const SCANNERS: string[] = payloads.scanners
/** Files that nobody means to publish. */
export const PROBES: string[] = payloads.probes
/** Targets whose values would become headers of the answer. */
export const HEADER_INJECTIONS: string[] = payloads.headerInjections
/** What people write and mean no harm by, though parts of it look like more. */
export const HARMLESS_TEXTS = harmless
