import type { RouteInput } from '@fairway/contract'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useReportFailure, useSnackbar } from '../ui/layers/snackbar.tsx'
import type { CallableRoute } from './client.ts'
import { change } from './use-change.ts'

export type Toggle<R extends CallableRoute, Data> = {
  route: R
  input: (on: boolean) => RouteInput<R>
  /** The read that shows the switch, and how it looks after the change. */
  shownBy: QueryKey
  optimistic: (data: Data, on: boolean) => Data
  /** One snackbar per subject. */
  subject: string
  /** What the snackbar says. */
  said: (on: boolean) => string
}

/** Switches at once, says so with *Undo*, and flips back with the reason when the change is refused. */
export function useToggle(): <R extends CallableRoute, Data>(toggle: Toggle<R, Data>, on: boolean) => Promise<void> {
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const flip = async <R extends CallableRoute, Data>(
    toggle: Toggle<R, Data>,
    on: boolean,
    undoable: boolean,
  ): Promise<void> => {
    const { shownBy } = toggle
    await queryClient.cancelQueries({ queryKey: shownBy })
    const before = queryClient.getQueryData<Data>(shownBy)
    queryClient.setQueryData<Data>(shownBy, (data) => data && toggle.optimistic(data, on))
    try {
      await change(queryClient, toggle.route, toggle.input(on))
      show(toggle.subject, {
        message: toggle.said(on),
        ...(undoable ? { undo: () => void flip(toggle, !on, false) } : {}),
      })
    } catch (error) {
      queryClient.setQueryData(shownBy, before)
      reportFailure(toggle.subject, error)
    }
  }
  return (toggle, on) => flip(toggle, on, true)
}
