import { routingStrategies } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { change } from '../../../api/use-change.ts'
import { useReportFailure, useSnackbar } from '../../../ui/layers/snackbar.tsx'
import { type Place, type Strategies, strategiesRead } from '../strategies-read.ts'
import { moved } from '../order.ts'

/** Moves a strategy at once, says so with Undo, and puts it back with the reason when that is refused. */
export function useReorder(place: Place) {
  const { t } = useTranslation('routing-strategies')
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const key = strategiesRead(place).queryKey

  const save = async (ids: readonly string[], message: string, undoTo: readonly string[] | null) => {
    await queryClient.cancelQueries({ queryKey: key })
    const before = queryClient.getQueryData<Strategies>(key)
    queryClient.setQueryData<Strategies>(
      key,
      (old) => old && { ...old, data: ids.flatMap((id) => old.data.filter((row) => row.id === id)) },
    )
    try {
      await change(queryClient, routingStrategies.routes.reorder, { ...place, ids: [...ids] })
      show('strategy-order', {
        message,
        ...(undoTo ? { undo: () => void save(undoTo, t('orderRestored'), null) } : {}),
      })
    } catch (error) {
      queryClient.setQueryData(key, before)
      reportFailure('strategy-order', error)
    }
  }
  return (rows: readonly { id: string; name: string }[], from: number, to: number) => {
    const ids = rows.map(({ id }) => id)
    const next = moved(ids, from, to)
    const name = rows[from]?.name
    if (name === undefined || next.every((id, index) => id === ids[index])) return
    void save(next, t('moved', { name, position: next.indexOf(ids[from] ?? '') + 1, total: ids.length }), ids)
  }
}
