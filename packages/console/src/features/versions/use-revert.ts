import { versions } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { change } from '../../api/use-change.ts'
import { useReportFailure, useSnackbar } from '../../ui/layers/snackbar.tsx'

/** Writes back what a version changed. A revert is a version like any other, so it can itself be undone. */
export function useRevert(siteId: string): (number: number) => Promise<void> {
  const { t } = useTranslation('versions')
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const revert = async (number: number, undoable: boolean): Promise<void> => {
    try {
      const { meta } = await change(queryClient, versions.routes.revert, { site: siteId, number: String(number) })
      const { version } = meta
      show('revert', {
        message: t('reverted', { number }),
        ...(undoable && version !== null ? { undo: () => void revert(version, false) } : {}),
      })
    } catch (error) {
      reportFailure('revert', error)
    }
  }
  return (number) => revert(number, true)
}
