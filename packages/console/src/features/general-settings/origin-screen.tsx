import { domains, OriginInput } from '@fairway/contract'
import type { Domain } from '@fairway/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { domainsRead } from '../../shell/scope/scope.ts'
import { diffRows } from '../../ui/marks/diff-view.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SaveBar } from '../../ui/layers/save-bar.tsx'
import { DeliveryCard } from './delivery-card.tsx'
import { type OriginDraft, OriginFields } from './origin-fields.tsx'
import { PreflightCard } from './preflight-card.tsx'
import classes from './screen.module.css'
import { SettingsFrame } from './settings-frame.tsx'

/** Where the CDNs of a domain fetch from, and how. */
export function OriginProtocolScreen() {
  return <SettingsFrame tab="origin">{(domain) => <OriginSettings key={domain.id} domain={domain} />}</SettingsFrame>
}

function OriginSettings({ domain }: { domain: Domain }) {
  const { t } = useTranslation('general-settings')
  const format = useFormat()
  const { type: savedType, ...saved } = domain.origin
  // Only what was changed here: the rest stays what it is, whoever changes it meanwhile.
  const [changed, setChanged] = useState<Partial<OriginDraft>>({})
  const draft: OriginDraft = { ...saved, ...changed }
  const [chosenType, setType] = useState<Domain['origin']['type'] | null>(null)
  const type = chosenType ?? savedType
  const [problems, setProblems] = useState<Record<string, string>>({})
  const mayEdit = useCanCall(domains.routes.update)
  const queryClient = useQueryClient()
  const place = { site: domain.siteId, domain: domain.id }
  const save = useChange(domains.routes.update, {
    subject: null,
    onDone: ({ data }) => {
      // At once: the next change is made upon what is shown.
      queryClient.setQueryData(
        domainsRead(domain.siteId).queryKey,
        (old) => old && { ...old, data: old.data.map((row) => (row.id === data.id ? data : row)) },
      )
      setChanged({})
      setType(null)
    },
  })
  const spares = draft.spareAddresses.filter((address) => address !== '')
  const wanted = {
    ...draft,
    spareAddresses: spares,
    fallbackAddress: draft.fallbackAddress === '' ? null : draft.fallbackAddress,
  }
  const parsed = OriginInput.safeParse(wanted)
  const shown = (_: string, value: unknown) =>
    typeof value === 'boolean'
      ? t(value ? 'on' : 'off')
      : Array.isArray(value)
        ? format.list(value)
        : value === null
          ? ''
          : t(`balance.${String(value)}`, { defaultValue: String(value) })
  const changes = diffRows(saved, wanted, shown, (field) => t(`origin.${field}`))
  const check = (): boolean => {
    setProblems(
      parsed.success
        ? {}
        : Object.fromEntries(parsed.error.issues.map(({ path, message }) => [path.join('.'), message])),
    )
    return parsed.success
  }
  const takeProblems = (error: unknown) => {
    if (error instanceof ApiError)
      setProblems(Object.fromEntries(error.fields.map(({ path, message }) => [path.replace(/^origin\./, ''), message])))
  }
  const discard = () => {
    setChanged({})
    setType(null)
    setProblems({})
    save.reset()
  }
  return (
    <>
      <div className={classes.columns}>
        <div className={classes.stack}>
          {save.error && Object.keys(problems).length === 0 && (
            <FailureNotice title={t('notSaved')} error={save.error} />
          )}
          <OriginFields
            draft={draft}
            type={type}
            problems={problems}
            disabled={!mayEdit}
            onType={setType}
            onChange={(change) => {
              setChanged((before) => ({ ...before, ...change }))
              setProblems({})
            }}
          />
        </div>
        <div className={classes.stack}>
          {mayEdit && <PreflightCard place={place} origin={wanted} onCheck={check} onProblems={takeProblems} />}
          <DeliveryCard
            narrow
            input={{ ...place, ...(parsed.success && changes.length > 0 ? { origin: parsed.data } : {}) }}
          />
        </div>
      </div>
      <SaveBar
        changes={changes}
        busy={save.isPending}
        onDiscard={discard}
        onSave={() => {
          if (check()) save.mutate({ ...place, origin: wanted }, { onError: takeProblems })
        }}
      />
    </>
  )
}
