import { LIMITS, purges } from '@fairway/contract'
import type { Domain, PurgeKind } from '@fairway/contract'
import { Button, MultiSelect, Textarea } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { ChooseDomain } from '../../shell/scope/choose-domain.tsx'
import { Gate } from '../../shell/access/gate.tsx'
import { useScope } from '../../shell/scope/scope.ts'
import { Card } from '../../ui/page/card.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Segmented } from '../../ui/forms/segmented.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { PurgePreviewCard } from './purge-preview-card.tsx'
import classes from './screen.module.css'

const LIST = '/$site/{-$domain}/multi-cdn/cache-control/{-$tab}'

/** Takes back what CDNs keep; shows first what that is. */
export function AddPurgeScreen() {
  const { t } = useTranslation('cache-control')
  const { domain, domains } = useScope()
  return (
    <>
      <PageHeader title={t('purge.addTitle')} meaning={t('purge.addText')} />
      <Gate route={{ ...purges.routes.create, planFeature: 'multiCdn.enable' }} meaning={t('purge.addText')}>
        {domain ? (
          <PurgeForm key={domain.id} domain={domain} domains={domains} />
        ) : (
          <ChooseDomain title={t('guide')} to="/$site/{-$domain}/multi-cdn/cache-control/purge/add" />
        )}
      </Gate>
    </>
  )
}

function PurgeForm({ domain, domains }: { domain: Domain; domains: readonly Domain[] }) {
  const { t } = useTranslation(['cache-control', 'validation', 'errors'])
  const { site } = useScope()
  const navigate = useNavigate()
  const [domainIds, setDomainIds] = useState([domain.id])
  const [kind, setKind] = useState<PurgeKind>('url')
  const { path } = useSearch({ from: '/shell/$site/{-$domain}/multi-cdn/cache-control/purge/add' })
  const [text, setText] = useState(path ?? '')
  const [soft, setSoft] = useState(false)
  const [asking, setAsking] = useState(false)
  const toList = (purge?: string) =>
    void navigate({
      to: LIST,
      params: { site: site.domainName, domain: domain.name, tab: 'purge' },
      search: { purge },
      ignoreBlocker: true,
    })
  const create = useChange(purges.routes.create, { subject: null, onDone: ({ data }) => toList(data[0]?.id) })
  const targets =
    kind === 'all'
      ? []
      : text
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
  const input = { site: site.id, domainIds, kind, targets }
  const isWildcard = domains.some(({ id, name }) => domainIds.includes(id) && name.startsWith('*.'))
  const problem = problemOf(create.error)
  const line = problem?.path.match(/^targets\.(\d+)$/)?.[1]
  const words =
    problem &&
    (problem.message.startsWith('errorMessage.') ? t(`errors:${problem.message}`) : validationText(t, problem.message))
  const isReady =
    domainIds.length > 0 && (kind === 'all' || (targets.length > 0 && targets.length <= LIMITS.purgeTargets))
  const submit = () => create.mutate({ ...input, soft })
  return (
    <div className={classes.columns}>
      <Card>
        <form
          className={classes.form}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            if (!isReady) return
            if (kind === 'all' || kind === 'directory') setAsking(true)
            else submit()
          }}
        >
          {create.error && !problem && <FailureNotice title={t('purge.notDone')} error={create.error} />}
          {domains.length > 1 && (
            <MultiSelect
              label={t('purge.domains')}
              data={domains.map(({ id, name }) => ({ value: id, label: name }))}
              value={domainIds}
              onChange={setDomainIds}
              error={domainIds.length === 0 ? t('validation:required') : null}
              hidePickedOptions
            />
          )}
          <div className={classes.group}>
            <span className={classes.label}>{t('purge.kind')}</span>
            <div>
              <Segmented
                label={t('purge.kind')}
                value={kind}
                onChange={(next) => {
                  setKind(next)
                  create.reset()
                }}
                options={(['url', 'directory', 'tag', 'all'] as const).map((value) => ({
                  value,
                  label: t(`kind.${value}`),
                }))}
              />
            </div>
            <span className={classes.quiet}>{t(`kindText.${kind}`)}</span>
          </div>
          {kind !== 'all' && (
            <Textarea
              label={t(`targets.${kind}`)}
              description={
                isWildcard && kind !== 'tag' ? t('purge.wildcard') : t('purge.perLine', { count: LIMITS.purgeTargets })
              }
              value={text}
              autosize
              minRows={4}
              maxRows={12}
              spellCheck={false}
              placeholder={
                kind === 'tag'
                  ? 'product-42'
                  : isWildcard
                    ? `https://shop${domain.name.slice(1)}/images/`
                    : kind === 'url'
                      ? '/index.html'
                      : '/images/'
              }
              error={
                words
                  ? line === undefined
                    ? words
                    : t('purge.inLine', { line: Number(line) + 1, words })
                  : targets.length > LIMITS.purgeTargets
                    ? t('purge.tooMany', { count: LIMITS.purgeTargets })
                    : null
              }
              onChange={({ currentTarget }) => {
                setText(currentTarget.value)
                create.reset()
              }}
            />
          )}
          <SwitchRow label={t('purge.softLabel')} text={t('purge.softText')} checked={soft} onChange={setSoft} />
          <div className={classes.foot}>
            <Button variant="default" onClick={() => toList()}>
              {t('cancel')}
            </Button>
            <Button type="submit" loading={create.isPending} disabled={!isReady}>
              {t('purge.verb')}
            </Button>
          </div>
        </form>
      </Card>
      <LeaveGuard when={text.trim() !== (path ?? '') && !create.isPending} />
      <PurgePreviewCard input={isReady ? input : null} />
      <Confirm
        opened={asking}
        onClose={() => setAsking(false)}
        title={kind === 'all' ? t('purge.confirmAll') : t('purge.confirmDirectory')}
        verb={t('purge.verb')}
        danger
        busy={create.isPending}
        onConfirm={() => {
          setAsking(false)
          submit()
        }}
      >
        {t('purge.confirmText')}
      </Confirm>
    </div>
  )
}

function problemOf(error: unknown): { path: string; message: string } | undefined {
  return error instanceof ApiError ? error.fields[0] : undefined
}
