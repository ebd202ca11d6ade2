import { firewallRules } from '@fairway/contract'
import type { FirewallRule } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { useToggle } from '../../api/use-toggle.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { onDemand } from '../../ui/pace/on-demand.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useUndoVersion } from '../versions/use-undo-version.ts'
import { RuleHits } from './rule-hits.tsx'
import { RuleList } from './rule-list.tsx'
import { type FirewallRules, rulesInput, rulesRead } from './rules-read.ts'
import { useRemoveRule, useReorderRules } from './use-rule-verbs.ts'

const CopyDialog = onDemand(async () => (await import('./copy-dialog.tsx')).CopyDialog)

/** The firewall rules of a domain with what may be done with each. */
export function FirewallList({ place, onAdd }: { place: Place; onAdd: (() => void) | null }) {
  const { t } = useTranslation('firewall-rules')
  const { data, error, refetch } = useRead(firewallRules.routes.list, rulesInput(place))
  const mayEdit = useCanCall(firewallRules.routes.update)
  const shownBy = rulesRead(place).queryKey
  const reorder = useReorderRules('firewall-rules', place, shownBy)
  const onRemove = useRemoveRule('firewall-rules', place)
  const show = useSnackbar()
  const undo = useUndoVersion(place.site)
  const clone = useChange(firewallRules.routes.clone)
  const toggle = useToggle()
  const [copied, setCopied] = useState<FirewallRule | null>(null)
  const onSwitch = (rule: FirewallRule, on: boolean) => {
    const { id, name, expression, action } = rule
    void toggle<typeof firewallRules.routes.update, FirewallRules>(
      {
        route: firewallRules.routes.update,
        input: (enabled) => ({ ...place, id, name, expression, action, enabled }),
        shownBy,
        optimistic: (old, enabled) => ({
          ...old,
          data: old.data.map((row) => (row.id === id ? { ...row, enabled } : row)),
        }),
        subject: `firewall-rules ${id}`,
        said: (next) => t(next ? 'turnedOn' : 'turnedOff', { name }),
      },
      on,
    )
  }
  const onClone = ({ id, name }: FirewallRule) =>
    clone.mutate(
      { ...place, id },
      {
        onSuccess: ({ meta }) =>
          show(`firewall-rules ${id}`, { message: t('cloned', { name }), ...undo(meta.version) }),
      },
    )
  return (
    <>
      <RuleList
        label={t('title')}
        rules={data?.data}
        error={error}
        onRetry={() => void refetch()}
        does={({ action }) => t(`action.${action.type}`)}
        beside={(rule) => <RuleHits rule={rule} />}
        address="/$site/{-$domain}/origin-shield/firewall-rules/edit/$id"
        verbs={mayEdit ? { onSwitch, onClone, onCopy: setCopied, onRemove } : {}}
        onReorder={mayEdit ? reorder : null}
        empty={
          <EmptyTeach
            title={t('empty.title')}
            text={t('empty.text')}
            action={onAdd && <Button onClick={onAdd}>{t('add')}</Button>}
          />
        }
        otherwise={t('otherwise')}
      />
      <CopyDialog
        key={copied?.id ?? ''}
        opened={copied !== null}
        onClose={() => setCopied(null)}
        place={place}
        rule={copied}
      />
    </>
  )
}
