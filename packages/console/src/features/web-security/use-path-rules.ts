import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useReportFailure, useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useUndoVersion } from '../versions/use-undo-version.ts'

type Done = { meta: { version: number | null } }

/** Carries a change of a list of rules out, and says so with *Undo*, or why it is refused. */
export function useRuleChange(siteId: string, subject: string) {
  const { t } = useTranslation('web-security')
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const undo = useUndoVersion(siteId)
  return async (said: 'turnedOn' | 'turnedOff' | 'removed' | 'reordered', name: string, call: () => Promise<Done>) => {
    try {
      const { meta } = await call()
      show(subject, { message: t(`done.${said}`, { name }), ...undo(meta.version) })
    } catch (error) {
      reportFailure(subject, error)
      await queryClient.invalidateQueries()
    }
  }
}
