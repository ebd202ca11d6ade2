import { firewallRules, httpHeaderRewrite, originRules } from '@fairway/contract'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { change, useChange } from '../../api/use-change.ts'
import { useReportFailure, useSnackbar } from '../../ui/layers/snackbar.tsx'
import { moved } from '../routing-strategies/order.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'

const ROUTES = {
  'firewall-rules': firewallRules.routes,
  'http-header-rewrite': httpHeaderRewrite.routes,
  'origin-rules': originRules.routes,
} as const
export type RulePart = keyof typeof ROUTES

type Row = { id: string; name: string }

/** Deletes a rule at once, with Undo. */
export function useRemoveRule(part: RulePart, place: Place): (rule: Row) => void {
  const { t } = useTranslation('firewall-rules')
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const { mutateAsync } = useChange(ROUTES[part].remove, { subject: `${part} remove` })
  return ({ id, name }) =>
    void mutateAsync({ ...place, id }).then(
      ({ meta }) => show(`${part} ${id}`, { message: t('removed', { name }), ...undo(meta.version) }),
      // The snackbar has said why.
      () => null,
    )
}

/** Moves a rule at once, says so with Undo, and puts it back with the reason when that is refused. */
export function useReorderRules(part: RulePart, place: Place, shownBy: QueryKey) {
  const { t } = useTranslation('firewall-rules')
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const subject = `${part} order`
  const save = async (ids: readonly string[], message: string, undoTo: readonly string[] | null) => {
    await queryClient.cancelQueries({ queryKey: shownBy })
    const before = queryClient.getQueryData<{ data: Row[] }>(shownBy)
    queryClient.setQueryData<{ data: Row[] }>(
      shownBy,
      (old) => old && { ...old, data: ids.flatMap((id) => old.data.filter((row) => row.id === id)) },
    )
    try {
      await change(queryClient, ROUTES[part].reorder, { ...place, ids: [...ids] })
      show(subject, { message, ...(undoTo ? { undo: () => void save(undoTo, t('orderRestored'), null) } : {}) })
    } catch (error) {
      queryClient.setQueryData(shownBy, before)
      reportFailure(subject, error)
    }
  }
  return (rows: readonly Row[], from: number, to: number) => {
    const ids = rows.map(({ id }) => id)
    const next = moved(ids, from, to)
    const name = rows[from]?.name
    if (name === undefined || next.every((id, index) => id === ids[index])) return
    void save(next, t('moved', { name, position: next.indexOf(ids[from] ?? '') + 1, total: ids.length }), ids)
  }
}
