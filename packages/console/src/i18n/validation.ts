import type { TFunction } from 'i18next'

/**
 * The sentence for a message key of a schema, the domain or the API's `fields`, or for `code:<error code>`; null when
 * there is none.
 */
export function validationText(t: TFunction, message: string | undefined): string | null {
  if (message === undefined || message === '') return null
  const [, code] = /^code:(\d+)$/.exec(message) ?? []
  if (code !== undefined) return t(`errors:errorMessage.${code}`, { defaultValue: t('validation:invalid') })
  const [, key, value] = /^validation\.(\w+)(?::(.*))?$/.exec(message) ?? []
  const [min, max] = value?.split(':') ?? []
  return key === undefined
    ? t('validation:invalid')
    : t(`validation:${key}`, { value, min, max, defaultValue: t('validation:invalid') })
}
