import { IpAddress, routingStrategies } from '@fairway/contract'
import { Button, Select, Skeleton, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { SampleChips } from './sample-chips.tsx'
import { WhyReport } from './why-report.tsx'
import { WhySearch } from './why-search.ts'
import classes from './why-panel.module.css'

/** The decision moves with the measurements; asking again keeps the open panel true. */
const REFRESH_MS = 5000

export type WhyPanelProps = {
  /** The name that visitors ask DNS for. */
  host: string
  /** Other names to choose from, where the page is about more than one. */
  hosts?: readonly string[]
}

type WhyDrawerProps = WhyPanelProps & { opened: boolean }

/** The drawer itself; `WhyPanel` opens it. */
export function WhyDrawer({ host, hosts = [], opened }: WhyDrawerProps) {
  const { t } = useTranslation('why-panel')
  const navigate = useNavigate()
  const { why, whyName } = WhySearch.parse(useSearch({ strict: false }))
  const name = whyName ?? host
  const isAddress = why !== undefined && IpAddress.safeParse(why).success
  const { data, error, refetch, isPlaceholderData } = useRead(
    routingStrategies.routes.why,
    { name, client: why ?? '' },
    { enabled: isAddress, everyMs: REFRESH_MS },
  )
  const go = (next: WhySearch) =>
    void navigate({ to: '.', search: (before) => ({ ...before, ...next }), replace: why !== undefined })

  return (
    <SideDrawer
      opened={opened}
      onClose={() => go({ why: undefined, whyName: undefined })}
      title={t('title')}
      size={720}
    >
      <div className={classes.ask}>
        <AddressForm address={why ?? ''} onAsk={(address) => go({ why: address })} />
        {hosts.length > 1 && (
          <Select
            label={t('host')}
            data={[...hosts]}
            value={name}
            onChange={(chosen) => {
              if (chosen !== null) go({ whyName: chosen })
            }}
          />
        )}
      </div>
      <SampleChips chosen={why} onChoose={(address) => go({ why: address })} />
      {isAddress && error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
      {isAddress && !data && !error && (
        <div className={classes.waiting} aria-busy="true">
          <Skeleton height={128} radius="md" />
          <Skeleton height={220} radius="md" />
        </div>
      )}
      {isAddress && data && <WhyReport explanation={data} dimmed={isPlaceholderData} />}
    </SideDrawer>
  )
}

function AddressForm({ address, onAsk }: { address: string; onAsk: (address: string) => void }) {
  const { t } = useTranslation('why-panel')
  const [typed, setTyped] = useState(address)
  const [problem, setProblem] = useState(false)
  useEffect(() => {
    setTyped(address)
    setProblem(false)
  }, [address])
  const ask = () => {
    const isValid = IpAddress.safeParse(typed.trim()).success
    setProblem(!isValid)
    if (isValid) onAsk(typed.trim())
  }
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        ask()
      }}
    >
      <TextInput
        className={classes.address}
        label={t('address')}
        value={typed}
        error={problem ? t('addressWrong') : null}
        onChange={(event) => setTyped(event.currentTarget.value)}
        classNames={{ input: classes.mono }}
        spellCheck={false}
        autoComplete="off"
        data-autofocus
      />
      <Button type="submit" variant="default">
        {t('ask')}
      </Button>
    </form>
  )
}
