import { type Balancer, LIMITS, liveStreams, streamBalancers } from '@fairway/contract'
import { Button, NumberInput, Select, Skeleton, TextInput } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { read, useRead } from '../../api/queries.ts'
import { useChange } from '../../api/use-change.ts'
import { validationText } from '../../i18n/validation.ts'
import { Gate } from '../../shell/access/gate.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { SwitchRow } from '../../ui/forms/switch-row.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { StatusPill } from '../../ui/marks/status-pill.tsx'
import { Card } from '../../ui/page/card.tsx'
import { ErrorState } from '../../ui/page/error-state.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { PageHeader } from '../../ui/page/page-header.tsx'
import { UnsteeredNotice } from '../signed-urls/unsteered-notice.tsx'
import { type BalancerDraft, draftOf, inputOf } from '../stream-balancers/draft.ts'
import { EffectCard } from '../stream-balancers/effect-card.tsx'
import classes from './stream-setup.module.css'

const ALL = { page_size: -1, ordering: 'name' } as const
const ASSETS = 'assets'
const OUTSIDE = ''
const FIRST_WEIGHT = 50
const EVERY_MS = 3_000

/** All videos have one balancer. */
export const AssetsAddCdnScreen = () => <Screen fixed={ASSETS} />

/** One CDN more for players of a live stream, or of the uploaded videos. */
export function AddCdnScreen() {
  const { sid } = useParams({ strict: false })
  return <Screen fixed={sid ?? null} />
}

function Screen({ fixed }: { fixed: string | null }) {
  const { t } = useTranslation('stream-setup')
  const [chosen, setChosen] = useState(ASSETS)
  const source = fixed ?? chosen
  const { data: streams } = useRead(liveStreams.routes.list, ALL)
  const { data, error, refetch } = useRead(streamBalancers.routes.get, { source }, { everyMs: EVERY_MS })
  const sources = [
    { value: ASSETS, label: t('allVideos') },
    ...(streams?.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ]
  return (
    <>
      <PageHeader title={t('addCdn.title')} meaning={t('addCdn.meaning')} />
      <Gate route={streamBalancers.routes.set} meaning={t('addCdn.meaning')}>
        <div className={classes.page}>
          <UnsteeredNotice />
          <Select
            label={t('addCdn.of')}
            allowDeselect={false}
            searchable
            maw={420}
            disabled={fixed !== null}
            data={sources}
            value={source}
            onChange={(value) => setChosen(value ?? ASSETS)}
          />
          {error && !data && <ErrorState error={error} onRetry={() => void refetch()} />}
          {!data && !error && <Skeleton height={320} radius="lg" />}
          {data && <AddForm key={source} source={source} saved={data} />}
        </div>
      </Gate>
    </>
  )
}

function AddForm({ source, saved }: { source: string; saved: Balancer }) {
  const { t } = useTranslation(['stream-setup', 'stream-balancers', 'validation'])
  const left = saved.choices.filter(({ cdnId }) => !saved.entries.some((entry) => entry.cdnId === cdnId))
  const [cdnId, setCdn] = useState(left[0]?.cdnId ?? OUTSIDE)
  const [host, setHost] = useState('')
  const [weight, setWeight] = useState(FIRST_WEIGHT)
  const [isOn, setOn] = useState(true)
  const [isAdded, setAdded] = useState(false)
  const queryClient = useQueryClient()
  const save = useChange(streamBalancers.routes.set, {
    subject: null,
    onDone: (now) => {
      // At once: one more is added to what is known, and would save the list without this one.
      queryClient.setQueryData(read(streamBalancers.routes.get, { source }).queryKey, now)
      setAdded(true)
    },
  })
  const ownHost = left.find((choice) => choice.cdnId === cdnId)?.host ?? null
  const known = draftOf(saved)
  const draft: BalancerDraft = {
    ...known,
    isOn,
    entries: [
      ...known.entries,
      {
        key: 'added',
        cdnId: cdnId === OUTSIDE ? null : cdnId,
        host: ownHost ?? host,
        weight,
        enabled: true,
        fixedHost: ownHost !== null,
      },
    ],
  }
  const addMore = () => {
    setCdn(left[0]?.cdnId ?? OUTSIDE)
    setHost('')
    setAdded(false)
  }
  if (isAdded) return <Added source={source} saved={saved} onMore={addMore} />
  const at = `entries.${known.entries.length}.`
  const field = save.error instanceof ApiError ? save.error.fields.find(({ path }) => path.startsWith(at)) : undefined
  const isFull = saved.entries.length >= saved.limit
  return (
    <div className={classes.choices}>
      <Card title={t('addCdn.which')}>
        <form
          className={classes.page}
          noValidate
          onSubmit={(event) => {
            event.preventDefault()
            save.mutate({ source, ...inputOf(draft) })
          }}
        >
          {isFull && <Notice tone="warn">{t('addCdn.full', { limit: saved.limit })}</Notice>}
          {save.error && !field && <FailureNotice title={t('stream-balancers:notSaved')} error={save.error} />}
          <Select
            label="CDN"
            allowDeselect={false}
            data={[
              ...left.map((choice) => ({ value: choice.cdnId, label: choice.name })),
              { value: OUTSIDE, label: t('stream-balancers:outside') },
            ]}
            value={cdnId}
            onChange={(value) => setCdn(value ?? OUTSIDE)}
          />
          {ownHost === null ? (
            <TextInput
              label={t('addCdn.host')}
              description={t('addCdn.hostText')}
              placeholder="video.example.com"
              maxLength={253}
              spellCheck={false}
              autoComplete="off"
              value={host}
              error={field ? validationText(t, field.message) : null}
              onChange={({ currentTarget }) => setHost(currentTarget.value)}
            />
          ) : (
            <p className={classes.quiet}>{t('addCdn.ownHost', { host: ownHost })}</p>
          )}
          <NumberInput
            label={t('addCdn.weight')}
            description={t('addCdn.weightText')}
            {...LIMITS.streamWeight}
            allowDecimal={false}
            clampBehavior="strict"
            value={weight}
            onChange={(next) => setWeight(typeof next === 'number' ? next : Number.NaN)}
          />
          <SwitchRow
            label={t('stream-balancers:isOn')}
            text={t('stream-balancers:isOnText')}
            checked={isOn}
            onChange={setOn}
          />
          <div className={classes.buttons}>
            <Button
              type="submit"
              disabled={isFull || (ownHost === null && host.trim() === '') || Number.isNaN(weight)}
              loading={save.isPending}
            >
              {t('go.addCdn')}
            </Button>
          </div>
        </form>
      </Card>
      <EffectCard source={source} draft={draft} />
    </div>
  )
}

/** How far the nodes are with it. */
function Added({ source, saved, onMore }: { source: string; saved: Balancer; onMore: () => void }) {
  const { t } = useTranslation('stream-setup')
  return (
    <Card title={t('addCdn.added')}>
      <div className={classes.page}>
        <ul className={classes.entries}>
          {saved.entries.map(({ pathway, name, host, state }) => (
            <li key={pathway} className={classes.entry}>
              <span>
                <span className={classes.name}>{name}</span> <span className={classes.quiet}>{host}</span>
              </span>
              <StatusPill state={state} />
            </li>
          ))}
        </ul>
        <div className={classes.buttons}>
          <Button variant="default" onClick={onMore}>
            {t('addCdn.more')}
          </Button>
          {source === ASSETS ? (
            <LinkButton to="/stream/assets" search={{ tab: 'balancer' }}>
              {t('addCdn.open')}
            </LinkButton>
          ) : (
            <LinkButton to="/stream/live-streams/detail/$sid/{-$type}" params={{ sid: source, type: 'balancer' }}>
              {t('addCdn.open')}
            </LinkButton>
          )}
        </div>
      </div>
    </Card>
  )
}
