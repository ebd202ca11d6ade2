import { originRules } from '@fairway/contract'
import type { OriginRule } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useToggle } from '../../api/use-toggle.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { RuleList } from '../firewall-rules/rule-list.tsx'
import { useRemoveRule, useReorderRules } from '../firewall-rules/use-rule-verbs.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useOriginWords } from './origin-words.ts'
import { type OriginRules, rulesInput, rulesRead } from './rules-read.ts'

export function OriginRuleList({ place, onAdd }: { place: Place; onAdd: (() => void) | null }) {
  const { t } = useTranslation(['origin-rules', 'firewall-rules'])
  const words = useOriginWords()
  const { data, error, refetch } = useRead(originRules.routes.list, rulesInput(place))
  const mayEdit = useCanCall(originRules.routes.update)
  const shownBy = rulesRead(place).queryKey
  const reorder = useReorderRules('origin-rules', place, shownBy)
  const onRemove = useRemoveRule('origin-rules', place)
  const toggle = useToggle()
  const onSwitch = (rule: OriginRule, on: boolean) => {
    const { id, name, expression, origin } = rule
    void toggle<typeof originRules.routes.update, OriginRules>(
      {
        route: originRules.routes.update,
        input: (enabled) => ({ ...place, id, name, expression, origin, enabled }),
        shownBy,
        optimistic: (old, enabled) => ({
          ...old,
          data: old.data.map((row) => (row.id === id ? { ...row, enabled } : row)),
        }),
        subject: `origin-rules ${id}`,
        said: (next) => t(next ? 'firewall-rules:turnedOn' : 'firewall-rules:turnedOff', { name }),
      },
      on,
    )
  }
  return (
    <RuleList
      label={t('title')}
      rules={data?.data}
      error={error}
      onRetry={() => void refetch()}
      does={({ origin }) => words(origin)}
      address="/$site/{-$domain}/origin-shield/origin-rules/edit/$id"
      verbs={mayEdit ? { onSwitch, onRemove } : {}}
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
  )
}
