import { httpHeaderRewrite } from '@fairway/contract'
import type { HeaderRule } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useToggle } from '../../api/use-toggle.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { RuleList } from '../firewall-rules/rule-list.tsx'
import { useRemoveRule, useReorderRules } from '../firewall-rules/use-rule-verbs.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { useFormat } from '../../i18n/format.ts'
import { type HeaderRules, rulesInput, rulesRead } from './rules-read.ts'

export function HeaderRuleList({ place, onAdd }: { place: Place; onAdd: (() => void) | null }) {
  const { t } = useTranslation(['http-header-rewrite', 'firewall-rules'])
  const format = useFormat()
  const { data, error, refetch } = useRead(httpHeaderRewrite.routes.list, rulesInput(place))
  const mayEdit = useCanCall(httpHeaderRewrite.routes.update)
  const shownBy = rulesRead(place).queryKey
  const reorder = useReorderRules('http-header-rewrite', place, shownBy)
  const onRemove = useRemoveRule('http-header-rewrite', place)
  const toggle = useToggle()
  const onSwitch = (rule: HeaderRule, on: boolean) => {
    const { id, name, expression, direction, operations } = rule
    void toggle<typeof httpHeaderRewrite.routes.update, HeaderRules>(
      {
        route: httpHeaderRewrite.routes.update,
        input: (enabled) => ({ ...place, id, name, expression, direction, operations, enabled }),
        shownBy,
        optimistic: (old, enabled) => ({
          ...old,
          data: old.data.map((row) => (row.id === id ? { ...row, enabled } : row)),
        }),
        subject: `http-header-rewrite ${id}`,
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
      does={({ direction, operations }) =>
        t('does', {
          direction: t(`direction.${direction}`),
          changes: format.list(operations.map(({ operation, header }) => `${t(`operation.${operation}`)} ${header}`)),
        })
      }
      address="/$site/{-$domain}/origin-shield/http-header-rewrite/edit/$id"
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
