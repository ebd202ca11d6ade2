import type { LocalText } from '@fairway/contract'
import { formatMoney } from '@fairway/domain'
import { useCallback } from 'react'
import { useTranslation } from 'react-i18next'
import { LANGUAGE_TAG, LOCALES } from '../../i18n/locale.ts'

/** Writes amounts of one currency, given in its smallest unit, in the language of the page. */
export function useMoney(currency: string): (minor: number) => string {
  const { i18n } = useTranslation()
  return useCallback((minor) => formatMoney(minor, currency, i18n.language), [currency, i18n.language])
}

/** The same for what is offered: `$49`, and `$0.60` where there are cents. */
export function usePrice(currency: string): (minor: number) => string {
  const { i18n } = useTranslation()
  return useCallback(
    (minor) => formatMoney(minor, currency, i18n.language, { isPrice: true }),
    [currency, i18n.language],
  )
}

/** Picks the language of the page from a text that is data. */
export function useLocalText(): (text: LocalText) => string {
  const { i18n } = useTranslation()
  const locale = LOCALES.find((one) => LANGUAGE_TAG[one] === i18n.language) ?? 'en'
  return useCallback((text) => text[locale], [locale])
}
