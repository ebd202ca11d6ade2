import { versions } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { change } from '../../api/use-change.ts'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'

/**
 * *Undo* for a snackbar: reverts the version that a change was written in. Nothing to undo when the change made none.
 */
export function useUndoVersion(siteId: string): (version: number | null) => { undo?: () => void } {
  const queryClient = useQueryClient()
  const reportFailure = useReportFailure()
  return (version) => {
    if (version === null) return {}
    return {
      undo: () =>
        void change(queryClient, versions.routes.revert, { site: siteId, number: String(version) }).catch(
          (error: unknown) => reportFailure('revert', error),
        ),
    }
  }
}
