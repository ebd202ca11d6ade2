import { isErrorCode } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { validationText } from '../../i18n/validation.ts'

/** Why a domain was refused: what the API found at its fields, else the sentence of the code. */
export function useRefusalText(): (code: number, fields: readonly { message: string }[]) => string {
  const { t } = useTranslation(['errors', 'validation'])
  return (code, fields) => {
    const found = fields.flatMap(({ message }) => validationText(t, message) ?? [])
    const sentence = isErrorCode(code) ? t(`errors:errorMessage.${code}`) : t('errors:errorMessage.unknown')
    return found.length > 0 ? found.join(' ') : sentence
  }
}
