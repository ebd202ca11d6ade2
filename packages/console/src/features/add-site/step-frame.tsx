import { addSite } from '@fairway/contract'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { Wizard, type WizardStep } from '../../ui/page/wizard.tsx'
import { foundDomainsRead, foundRead } from './found-reads.ts'
import type { Draft } from './use-draft.ts'

const STEPS = ['name', 'scan', 'domains', 'records', 'finish'] as const
export type StepKey = (typeof STEPS)[number]

const PATHS = {
  scan: '/add-site/quick-scan',
  domains: '/add-site/review-domains',
  records: '/add-site/review-dns-records',
} as const

type StepFrameProps = {
  step: StepKey
  draft: Draft | null
  title: string
  meaning: string
  beside?: ReactNode
  footer?: ReactNode
  children: ReactNode
}

/** One step of adding a site: the steps with what they have led to, the title, the step's cards, its buttons. */
export function StepFrame({ step, draft, title, meaning, beside, footer, children }: StepFrameProps) {
  const { t } = useTranslation('add-site')
  const details = useDetails(draft)
  const current = STEPS.indexOf(step)
  const isDraft = draft !== null && draft.site.zoneStatus === 0
  const steps = STEPS.map((key, index): WizardStep => ({
    key,
    title: t(`step.${key}`),
    state: index < current ? 'done' : index === current ? 'current' : 'todo',
    ...(details[key] === undefined ? {} : { detail: details[key] }),
    ...(isDraft && key in PATHS && key !== step
      ? {
          link: (content) => (
            <Link to={PATHS[key as keyof typeof PATHS]} search={draft.search}>
              {content}
            </Link>
          ),
        }
      : {}),
  }))
  return (
    <>
      <PageHeader title={title} meaning={meaning} beside={beside} />
      <Wizard label={t('steps')} steps={steps} footer={footer}>
        {children}
      </Wizard>
    </>
  )
}

function useDetails(draft: Draft | null): Partial<Record<StepKey, string>> {
  const { t } = useTranslation('add-site')
  const site = draft?.site.id ?? ''
  const enabled = draft !== null
  const scan = useRead(addSite.routes.scan, { site }, { enabled }).data
  const found = useQuery({ ...foundRead(site), enabled }).data
  const domains = useQuery({ ...foundDomainsRead(site), enabled }).data
  if (!draft) return {}
  const chosen = found?.data.filter((record) => record.chosen).length ?? 0
  return {
    name: draft.site.domainName,
    ...(scan && scan.state !== 'none' ? { scan: t('detail.scan', { count: scan.foundNames }) } : {}),
    ...(domains
      ? { domains: t('detail.domains', { count: domains.data.filter(({ multiCdn }) => multiCdn).length }) }
      : {}),
    ...(found ? { records: t('detail.records', { count: chosen, total: found.data.length }) } : {}),
  }
}
