import { credentialStuffing, failedLogin } from '@fairway/contract'
import { Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { change } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { EmptyTeach } from '../../ui/page/empty-teach.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { type PathRule, PathRules } from '../web-security/path-rules.tsx'
import { useRuleChange } from '../web-security/use-path-rules.ts'

type ListProps = { place: Place; /** The button that adds one. */ action: ReactNode }
/** What is asked for to read all rules of a domain. */
export const all = (place: Place) => ({ ...place, page_size: -1 })

export function FailedLoginRules({ place, action }: ListProps) {
  const { t } = useTranslation('account-takeover-prevention')
  const queryClient = useQueryClient()
  const { data, error, refetch } = useRead(failedLogin.routes.list, all(place))
  const carryOut = useRuleChange(place.site, 'login-rule')
  const { update, remove, reorder } = failedLogin.routes
  const rules = data?.data ?? []
  return (
    <List
      kind="failed-login"
      action={action}
      rules={
        data
          ? rules.map((rule) => ({
              ...rule,
              does: t('does.failed', { failed: rule.maxFailed, attempts: rule.maxAttempts }),
            }))
          : null
      }
      error={data ? null : error}
      onRetry={() => void refetch()}
      edit={{
        flip: ({ id, name }, enabled) => {
          const rule = rules.find((one) => one.id === id)
          if (rule)
            void carryOut(enabled ? 'turnedOn' : 'turnedOff', name, () =>
              change(queryClient, update, { ...place, ...rule, enabled }),
            )
        },
        remove: ({ id, name }) => void carryOut('removed', name, () => change(queryClient, remove, { ...place, id })),
        order: (ids) => void carryOut('reordered', '', () => change(queryClient, reorder, { ...place, ids })),
      }}
    />
  )
}

export function StuffingRules({ place, action }: ListProps) {
  const { t } = useTranslation('account-takeover-prevention')
  const queryClient = useQueryClient()
  const { data, error, refetch } = useRead(credentialStuffing.routes.list, all(place))
  const carryOut = useRuleChange(place.site, 'login-rule')
  const { update, remove, reorder } = credentialStuffing.routes
  const rules = data?.data ?? []
  return (
    <List
      kind="credential-stuffing"
      action={action}
      rules={data ? rules.map((rule) => ({ ...rule, does: t('does.leaked', { field: rule.passwordField }) })) : null}
      error={data ? null : error}
      onRetry={() => void refetch()}
      edit={{
        flip: ({ id, name }, enabled) => {
          const rule = rules.find((one) => one.id === id)
          if (rule)
            void carryOut(enabled ? 'turnedOn' : 'turnedOff', name, () =>
              change(queryClient, update, { ...place, ...rule, enabled }),
            )
        },
        remove: ({ id, name }) => void carryOut('removed', name, () => change(queryClient, remove, { ...place, id })),
        order: (ids) => void carryOut('reordered', '', () => change(queryClient, reorder, { ...place, ids })),
      }}
    />
  )
}

type ListBodyProps = {
  kind: 'failed-login' | 'credential-stuffing'
  action: ReactNode
  /** Null while they are read. */ rules: PathRule[] | null
  error: Error | null
  onRetry: () => void
  edit: NonNullable<React.ComponentProps<typeof PathRules>['edit']>
}

function List({ kind, action, rules, error, onRetry, edit }: ListBodyProps) {
  const { t } = useTranslation('account-takeover-prevention')
  const { site, domain } = useScope()
  const mayEdit = useCanCall(failedLogin.routes.update)
  if (error) return <ErrorState error={error} onRetry={onRetry} />
  if (!rules) return <Skeleton height={190} radius="lg" aria-busy="true" />
  if (rules.length === 0)
    return (
      <div data-empty>
        <Card>
          <EmptyTeach title={t(`empty.${kind}.title`)} text={t(`empty.${kind}.text`)} action={action} />
        </Card>
      </div>
    )
  return (
    <PathRules
      label={t(`tab.${kind}`)}
      rules={rules}
      link={({ id, name }) =>
        mayEdit ? (
          <Link
            to={`/$site/{-$domain}/origin-shield/account-takeover-prevention/${kind}/edit/$id`}
            params={{ site: site.domainName, domain: domain?.name, id }}
          >
            {name}
          </Link>
        ) : (
          name
        )
      }
      {...(mayEdit ? { edit } : {})}
    />
  )
}
