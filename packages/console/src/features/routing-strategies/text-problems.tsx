import { useTranslation } from 'react-i18next'
import type { FieldProblem } from '../../api/api-error.ts'
import { validationText } from '../../i18n/validation.ts'
import classes from './list/text-dialog.module.css'

const SHOWN = 8

/** Where a text is wrong, and what is. */
export function TextProblems({ problems }: { problems: readonly FieldProblem[] }) {
  const { t } = useTranslation(['routing-strategies', 'validation'])
  if (problems.length === 0) return null
  return (
    <ul className={classes.wrong} role="alert">
      {problems.slice(0, SHOWN).map(({ path, message }) => (
        <li key={`${path} ${message}`}>
          {[path, message === 'json' ? t('text.json') : (validationText(t, message) ?? message)]
            .filter((part) => part !== '')
            .join(': ')}
        </li>
      ))}
    </ul>
  )
}
