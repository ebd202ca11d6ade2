import { IcpNumber, type PowerUpDetail, cdnManagement, domains } from '@fairway/contract'
import { Button, Select, TextInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { OriginNotice, isTroubled } from '../cdn-management/origin-notice.tsx'
import { usePowerUpWords } from './power-up-words.ts'
import classes from './power-ups.module.css'

/**
 * Chooses a domain that does not have the CDN yet, asks for the licence where one is needed, and installs. One whose
 * review failed may ask again.
 */
export function InstallOnDomain({ powerUp }: { powerUp: PowerUpDetail }) {
  const { t } = useTranslation(['power-ups', 'validation'])
  const { nameOf } = usePowerUpWords()
  const show = useSnackbar()
  const [chosen, setChosen] = useState<string | null>(null)
  const [icpNumber, setIcpNumber] = useState('')
  const [problems, setProblems] = useState<{ domain?: string | null; icp?: string | null }>({})
  const { data } = useRead(domains.routes.all, { page_size: -1, ordering: 'name' })
  const install = useChange(cdnManagement.routes.install, {
    subject: null,
    onDone: ({ data: cdn }) => {
      show('install', {
        message: t(cdn.state === 'under-review' ? 'power-ups:asked' : 'power-ups:installing', {
          name: nameOf(powerUp),
        }),
      })
      setChosen(null)
      setIcpNumber('')
    },
  })
  const taken = new Set(
    powerUp.installed
      .filter(({ status }) => status !== 'review-failed' && status !== 'delete-in-progress')
      .map(({ domain }) => domain?.id),
  )
  const free = (data?.data ?? []).filter(({ id }) => !taken.has(id))
  const needsIcp = powerUp.features?.icpCheck === true
  if (data && free.length === 0)
    return <p className={classes.quiet}>{t(data.data.length === 0 ? 'power-ups:noDomains' : 'power-ups:everywhere')}</p>
  const submit = () => {
    const domain = free.find(({ id }) => id === chosen)
    const licence = needsIcp ? IcpNumber.safeParse(icpNumber) : null
    const icp =
      licence?.success === false
        ? validationText(t, icpNumber === '' ? 'validation.required' : licence.error.issues[0]?.message)
        : null
    setProblems({ domain: domain ? null : validationText(t, 'validation.required'), icp })
    if (domain && icp === null)
      install.mutate({
        site: domain.siteId,
        domain: domain.id,
        cdnId: powerUp.id,
        ...(licence?.success === true ? { icpNumber: licence.data } : {}),
      })
  }
  const seen = install.data?.data.originSeen ?? null
  return (
    <form
      className={classes.install}
      noValidate
      aria-label={t('power-ups:installTitle')}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      {install.error && <FailureNotice title={t('power-ups:notInstalledTitle')} error={install.error} />}
      {isTroubled(seen) && <OriginNotice seen={seen} />}
      <Select
        label={t('power-ups:domain')}
        placeholder={t('power-ups:chooseDomain')}
        searchable
        data={free.map(({ id, name }) => ({ value: id, label: name }))}
        value={chosen}
        onChange={setChosen}
        error={problems.domain ?? null}
        disabled={!data}
      />
      {needsIcp && (
        <TextInput
          label={t('power-ups:icp')}
          description={t('power-ups:icpHelp')}
          placeholder="京ICP备12345678号-1"
          spellCheck={false}
          value={icpNumber}
          onChange={(event) => setIcpNumber(event.currentTarget.value)}
          error={problems.icp ?? null}
        />
      )}
      <Button type="submit" loading={install.isPending}>
        {t(powerUp.review ? 'power-ups:askVerb' : 'power-ups:installVerb')}
      </Button>
    </form>
  )
}
