import type { SecurityExpression } from '@fairway/contract'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../i18n/format.ts'

/** An expression in one line of words. */
export function useExpressionWords(): (expression: SecurityExpression | null) => string {
  const { t } = useTranslation('firewall-rules')
  const format = useFormat()
  const say = (expression: SecurityExpression, isInner: boolean): string => {
    if ('all' in expression || 'any' in expression) {
      const isAll = 'all' in expression
      const parts = (isAll ? expression.all : expression.any).map((one) => say(one, true))
      const words = parts.join(t(isAll ? 'joined.all' : 'joined.any'))
      return isInner && parts.length > 1 ? `(${words})` : words
    }
    const { field, name, operator, negate, values } = expression
    return [
      t(`field.${field}`) + (name === '' ? '' : ` ${name}`),
      negate ? t('not') : '',
      t(`operator.${operator}`),
      format.list(values),
    ]
      .filter((part) => part !== '')
      .join(' ')
  }
  return (expression) => (expression === null ? t('everyRequest') : say(expression, false))
}
