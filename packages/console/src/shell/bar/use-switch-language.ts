import { type Locale, account } from '@fairway/contract'
import { api } from '../../api/client.ts'
import { switchLocale } from '../../i18n/i18n.ts'

/** Switches the language without a reload; when signed in, the account keeps it too. */
export function useSwitchLanguage(signedIn = true): (locale: Locale) => Promise<void> {
  return async (locale) => {
    await switchLocale(locale)
    // The cookie has it already; the account's copy is for mails and other browsers and may fail quietly.
    if (signedIn) await api(account.routes.setLocale, { locale }).catch(() => null)
  }
}
