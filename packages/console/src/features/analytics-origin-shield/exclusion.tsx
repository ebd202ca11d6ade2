import { firewallRules, type FirewallRuleInput, type Threat, webSecurity } from '@fairway/contract'
import { Button, Skeleton } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { read, useRead } from '../../api/queries.ts'
import { change, useChange } from '../../api/use-change.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { useReportFailure, useSnackbar } from '../../ui/layers/snackbar.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { rulesInput } from '../firewall-rules/rules-read.ts'
import { BackTestResult } from '../web-security/back-test-result.tsx'
import classes from './incident-drawer.module.css'

/** The narrowest way to let such requests pass: one path, one method; its effect is shown before it is added. */
export function Exclusion({ threat }: { threat: Threat }) {
  const { t } = useTranslation('analytics-origin-shield')
  const queryClient = useQueryClient()
  const show = useSnackbar()
  const reportFailure = useReportFailure()
  const [isShown, setShown] = useState(false)
  const mayEdit = useCanCall(firewallRules.routes.create)
  const place = { site: threat.siteId, domain: threat.domainId }
  const rule = ruleOf(threat, t('exclusion.name', { path: threat.path }))
  const effect = useRead(
    webSecurity.routes.backTest,
    { ...place, change: { firewall: [{ id: null, rule, first: true }] } },
    { enabled: isShown && mayEdit },
  )
  const create = useChange(firewallRules.routes.create, {
    onDone: (output) => void putFirst(output.data.id),
  })
  const putFirst = async (id: string) => {
    try {
      const rules = await queryClient.fetchQuery(read(firewallRules.routes.list, rulesInput(place)))
      const others = rules.data.map((one) => one.id).filter((one) => one !== id)
      await change(queryClient, firewallRules.routes.reorder, { ...place, ids: [id, ...others] })
      show('firewall-rule', { message: t('exclusion.added', { name: rule.name }) })
    } catch (error) {
      reportFailure('firewall-rule', error)
    }
  }
  if (!mayEdit) return null
  return (
    <section className={classes.others}>
      <h3 className={classes.heading}>{t('exclusion.title')}</h3>
      <p className={classes.note}>{t('exclusion.meaning', { method: threat.method })}</p>
      {isShown &&
        (effect.data ? (
          <BackTestResult result={effect.data} />
        ) : effect.error ? (
          <ErrorState error={effect.error} onRetry={() => void effect.refetch()} />
        ) : (
          <Skeleton height={120} radius="sm" />
        ))}
      <div className={classes.verdict}>
        {isShown ? (
          <Button
            size="xs"
            loading={create.isPending}
            disabled={!effect.data || create.isSuccess}
            onClick={() => create.mutate({ ...place, ...rule })}
          >
            {t('exclusion.add')}
          </Button>
        ) : (
          <Button size="xs" variant="default" onClick={() => setShown(true)}>
            {t('exclusion.show')}
          </Button>
        )}
      </div>
    </section>
  )
}

function ruleOf({ method, path }: Threat, name: string): FirewallRuleInput {
  const base = { operator: 'equals' as const, name: '', negate: false, ignoreCase: false }
  return {
    name: name.slice(0, 80),
    enabled: true,
    expression: {
      all: [
        { ...base, field: 'path', values: [path] },
        { ...base, field: 'method', values: [method] },
      ],
    },
    action: { type: 'pass' },
  }
}
