import { versions } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { change } from '../../api/use-change.ts'
import { useReportFailure } from '../../ui/layers/snackbar.tsx'

type Made = { site: string; version: number }

/**
 * *Undo* for a snackbar: reverts the version that a change was written in. Nothing to undo when the change made none.
 */
export function useUndoVersion(siteId: string): (version: number | null) => { undo?: () => void } {
  const undo = useUndoVersions()
  return (version) => undo(version === null ? [] : [{ site: siteId, version }])
}

/** The same of a change that was written in versions of several sites. */
export function useUndoVersions(): (made: readonly Made[]) => { undo?: () => void } {
  const queryClient = useQueryClient()
  const reportFailure = useReportFailure()
  const revert = async (made: readonly Made[]) => {
    for (const { site, version } of made)
      await change(queryClient, versions.routes.revert, { site, number: String(version) })
  }
  return (made) =>
    made.length === 0 ? {} : { undo: () => void revert(made).catch((error: unknown) => reportFailure('revert', error)) }
}
