import { useTranslation } from 'react-i18next'
import { AskForHelp } from '../marks/ask-for-help.tsx'
import { Notice } from '../page/notice.tsx'
import { failureText } from '../layers/snackbar.tsx'

/** At the top of a form that could not be saved: why, in the words of the code. */
export function FailureNotice({ title, error }: { title: string; error: unknown }) {
  const { t } = useTranslation('errors')
  return (
    <Notice tone="bad" title={title}>
      {failureText(t, error)} <AskForHelp error={error} />
    </Notice>
  )
}
