import { bulkConfigure, type DomainOfSite } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Wizard, type WizardStep } from '../../ui/page/wizard.tsx'
import { DomainList } from '../domains/domain-list.tsx'
import { type Draft, readDraft } from './draft.ts'
import { JobView } from './job-view.tsx'
import { RecentJobs } from './recent-jobs.tsx'
import { ReviewStep } from './review-step.tsx'
import { BULK_STEPS, type BulkConfigureSearch } from './search.ts'
import { SettingsStep } from './settings-step.tsx'

const NO_DRAFT: Draft = { purgeSoft: 'on' }

/** One change of many domains: which, what, what it will do, and how it went with each. */
export function BulkConfigureScreen() {
  const { t } = useTranslation('bulk-configure')
  const search = useSearch({ from: '/shell/domains/bulk-configure' })
  const navigate = useNavigate({ from: '/domains/bulk-configure' })
  const set = (change: Partial<BulkConfigureSearch>, replace = true) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace })
  const [domains, setDomains] = useState<readonly DomainOfSite[]>([])
  const [draft, setDraft] = useState<Draft>(NO_DRAFT)
  const [asked, setAsked] = useState(false)
  const { tab = 'general', job } = search
  const read = useMemo(() => readDraft(tab, draft), [tab, draft])
  // What was chosen is not in the address: who comes with a later step begins at the first.
  const wanted = domains.length === 0 ? 'domains' : (search.step ?? 'domains')
  const step = wanted === 'review' && read.change === null ? 'settings' : wanted
  const go = (to: (typeof BULK_STEPS)[number]) => set({ step: to === 'domains' ? undefined : to }, false)
  const start = useChange(bulkConfigure.routes.create, {
    onDone: ({ data }) => set({ job: data.id, step: undefined }, false),
  })
  const details = {
    domains: domains.length > 0 ? t('chosen', { count: domains.length }) : undefined,
    settings: read.change === null ? undefined : t(`tab.${tab}`),
    review: undefined,
  }
  const at = BULK_STEPS.indexOf(step)
  const steps = BULK_STEPS.map((key, index): WizardStep => ({
    key,
    title: t(`step.${key}`),
    detail: details[key],
    state: index < at ? 'done' : index === at ? 'current' : 'todo',
  }))
  const next = () => {
    setAsked(true)
    if (read.change !== null) go('review')
  }
  return (
    <>
      <PageHeader
        title={t('title')}
        meaning={t('meaning')}
        actions={
          <LinkButton to="/domains" variant="default">
            {t('all')}
          </LinkButton>
        }
      />
      <Gate route={bulkConfigure.routes.create} meaning={t('meaning')}>
        {job !== undefined && <JobView id={job} onNew={() => set({ job: undefined })} />}
        {job === undefined && (
          <Wizard
            label={t('steps')}
            steps={steps}
            footer={
              step === 'settings' ? (
                <>
                  <Button variant="default" onClick={() => go('domains')}>
                    {t('back')}
                  </Button>
                  <Button onClick={next}>{t('toReview')}</Button>
                </>
              ) : undefined
            }
          >
            {step === 'domains' && (
              <>
                <DomainList
                  search={search}
                  onSearch={set}
                  bulk={(rows) => (
                    <Button
                      variant="subtle"
                      onClick={() => {
                        setDomains(rows)
                        go('settings')
                      }}
                    >
                      {t('configure', { count: rows.length })}
                    </Button>
                  )}
                />
                <RecentJobs onOpen={(id) => set({ job: id }, false)} />
              </>
            )}
            {step === 'settings' && (
              <SettingsStep
                tab={tab}
                draft={draft}
                problems={asked ? read.problems : null}
                isEmpty={asked && read.change === null && read.isEmpty}
                hasWildcard={domains.some(({ name }) => name.startsWith('*.'))}
                onTab={(next) => set({ tab: next === 'general' ? undefined : next })}
                onDraft={(field, value) => setDraft({ ...draft, [field]: value })}
              />
            )}
            {step === 'review' && read.change !== null && (
              <ReviewStep
                domainIds={domains.map(({ id }) => id)}
                change={read.change}
                busy={start.isPending}
                onBack={() => go('settings')}
                onRun={(domainIds) => start.mutate({ domainIds, change: read.change })}
              />
            )}
          </Wizard>
        )}
      </Gate>
    </>
  )
}
