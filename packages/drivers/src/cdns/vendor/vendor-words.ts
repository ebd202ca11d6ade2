import type { ByoPlatform } from '@fairway/contract'

const DETAIL_CHARACTERS = 300
/** Shorter ones are no secrets, and would turn a sentence into dots. */
const SECRET_CHARACTERS = 8

/** A vendor's words as people may read them: without anything of the key, even when the vendor repeats it. */
export function withoutSecrets(text: string, values: Record<string, string>): string {
  const secrets = Object.values(values).filter((value) => value.length >= SECRET_CHARACTERS)
  const withoutKeys = text.replaceAll(/-----BEGIN[^-]*PRIVATE KEY-----.*?(?:-----END[^-]*-----|$)/gs, '…')
  return plainWords(
    secrets.reduce((rest, value) => rest.replaceAll(value, '…'), withoutKeys),
    DETAIL_CHARACTERS,
  )
}

/** Words from outside on one line. The database keeps no NUL, and nobody reads the other controls. */
export const plainWords = (text: string, most: number): string =>
  text.replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, ' ').slice(0, most)

export function causeOf(error: unknown, patienceMs: number): string {
  if (!(error instanceof Error)) return String(error)
  if (error.name === 'TimeoutError') return `no answer within ${patienceMs / 1000} s`
  return error.cause instanceof Error && error.cause.message ? error.cause.message : error.message
}

/** Where a setting says that a vendor's API is. */
export const overridingUrl = (urls: readonly string[], platform: ByoPlatform): string | undefined =>
  urls.find((url) => url.startsWith(`${platform}=`))?.slice(platform.length + 1)
