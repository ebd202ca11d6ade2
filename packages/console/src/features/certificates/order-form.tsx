import { type AuthorityId, certificates, domains } from '@fairway/contract'
import { Button, Checkbox, TagsInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import classes from './certificates.module.css'
import { type ChallengeChoice, ChallengeField, challengeProblem } from './challenge-field.tsx'
import type { FormProps } from './form-props.ts'

/** Names, what stands in the way, and the order. */
export function OrderForm({
  site,
  authority,
  before,
  opened,
  onClose,
  onMade,
}: FormProps & { authority: AuthorityId }) {
  const { t } = useTranslation('certificates')
  const known =
    useRead(domains.routes.list, { site: site.id, page_size: -1 }, { enabled: opened }).data?.data.map(
      ({ name }) => name,
    ) ?? []
  const [names, setNames] = useState<string[] | null>(null)
  const [wildcard, setWildcard] = useState(false)
  const [choice, setChoice] = useState<ChallengeChoice>('automatic')
  const pair = [site.domainName, `*.${site.domainName}`]
  const wanted = wildcard ? pair : (names ?? known.slice(0, 98))
  const precheck = useChange(certificates.routes.precheck, { subject: null })
  const issue = useChange(certificates.routes.issue, { subject: null, onDone: ({ data }) => onMade(data.id) })
  const problems = precheck.data?.problems ?? []
  const ask = async (anyway: boolean) => {
    if (wanted.length === 0 || challengeProblem(choice, wanted) !== undefined) return
    const order = { site: site.id, names: wanted, authority, ...(choice === 'automatic' ? {} : { challenge: choice }) }
    const found = anyway ? [] : (await precheck.mutateAsync(order)).problems
    if (found.length === 0) issue.mutate(order)
  }
  const isBusy = precheck.isPending || issue.isPending
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={t('setup')}
      keepOpen={names !== null || choice !== 'automatic'}
      onSubmit={() => void ask(problems.length > 0)}
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('cancel')}
          </Button>
          <Button type="submit" loading={isBusy} disabled={wanted.length === 0}>
            {problems.length > 0 ? t('orderAnyway') : t('order')}
          </Button>
        </>
      }
    >
      <div className={classes.body}>
        {before}
        <Checkbox
          label={t('wildcard', { site: site.domainName })}
          description={t('wildcardHint')}
          checked={wildcard}
          onChange={(event) => {
            precheck.reset()
            setWildcard(event.currentTarget.checked)
          }}
        />
        {!wildcard && (
          <TagsInput
            label={t('names')}
            description={t('namesHint')}
            data={[...pair, ...known]}
            value={wanted}
            maxTags={98}
            splitChars={[',', ' ', '\n']}
            acceptValueOnBlur
            onChange={(next) => {
              precheck.reset()
              setNames([...new Set(next.map((name) => name.trim().toLowerCase()).filter(Boolean))])
            }}
          />
        )}
        <ChallengeField
          value={choice}
          names={wanted}
          onChange={(next) => {
            precheck.reset()
            setChoice(next)
          }}
        />
        {problems.length > 0 && (
          <Notice tone="warn" title={t('problems')}>
            <ul className={classes.problems}>
              {problems.map(({ name, problem, hint }) => (
                <li key={`${name} ${problem}`}>
                  <code>{name}</code> {t(`problem.${problem}`, { hint: hint ?? '' })}
                </li>
              ))}
            </ul>
          </Notice>
        )}
        {issue.error && <FailureNotice title={t('notOrdered')} error={issue.error} />}
        {precheck.error && <FailureNotice title={t('notOrdered')} error={precheck.error} />}
        <p className={classes.small}>{t('orderMeaning')}</p>
      </div>
    </SideDrawer>
  )
}
