import { outsideFeeds, type OutsideFeed } from '@fairway/contract'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { useFormat } from '../../i18n/format.ts'
import { useCanCall } from '../../shell/access/session.ts'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Confirm } from '../../ui/layers/confirm.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { usePlaceWords } from '../../ui/places/place-words.ts'
import { useCdnLooks } from '../cdn-management/cdn-names.ts'
import { FeedCode } from './feed-code.tsx'
import { FeedPosts } from './feed-posts.tsx'
import { OutsideFeedFields, useOutsideFeedForm } from './outside-feed-fields.tsx'
import { OutsideSwitch } from './outside-switch.tsx'
import classes from './screen.module.css'
import { useRefreshFeeds } from './use-refresh-feeds.ts'

type OutsideFeedDrawerProps = {
  place: { site: string; domain: string }
  feed: OutsideFeed
  cdnId: string
  onClose: () => void
  onKey: (key: string) => void
}

/** One outside feed: whether it counts and why not, its settings, its last posts, its key, and the code to post with. */
export function OutsideFeedDrawer({ place, feed, cdnId, onClose, onKey }: OutsideFeedDrawerProps) {
  const { t } = useTranslation(['outside-feeds', 'shell'])
  const { id, name, weightPercent, enabled, oldKeyUntil, url, seen } = feed
  const format = useFormat()
  const refresh = useRefreshFeeds()
  const show = useSnackbar()
  const mayEdit = useCanCall(outsideFeeds.routes.update)
  const mayRotate = useCanCall(outsideFeeds.routes.rotateKey)
  const [asked, setAsked] = useState<'remove' | 'rotate' | 'switch' | null>(null)
  const form = useOutsideFeedForm({ name, weightPercent, enabled })
  const update = useChange(outsideFeeds.routes.update, {
    subject: null,
    onDone: (saved) => {
      form.reset({ name: saved.name, weightPercent: saved.weightPercent, enabled: saved.enabled })
      refresh()
      show('outside-feed', { message: t('saved') })
    },
  })
  const remove = useChange(outsideFeeds.routes.remove, {
    onDone: () => {
      refresh()
      show('outside-feed', { message: t('removed') })
      onClose()
    },
  })
  const rotate = useChange(outsideFeeds.routes.rotateKey, {
    onDone: ({ key }) => {
      setAsked(null)
      refresh()
      onKey(key)
    },
  })
  const submit = form.handleSubmit((values) =>
    update.mutate({ id, ...values, enabled }, { onError: (error) => form.takeFieldErrors(error) }),
  )
  return (
    <SideDrawer
      opened
      onClose={onClose}
      title={name}
      size={720}
      keepOpen={form.formState.isDirty}
      {...(mayEdit
        ? {
            onSubmit: () => void submit(),
            beside: (
              <Button variant="subtle" color="red" onClick={() => setAsked('remove')}>
                {t('remove')}
              </Button>
            ),
            footer: (
              <Button type="submit" loading={update.isPending} disabled={!form.formState.isDirty}>
                {t('save')}
              </Button>
            ),
          }
        : {})}
    >
      <div className={classes.moves}>
        <State feed={feed} />
        {update.error && form.formState.errors.name === undefined && (
          <FailureNotice title={t('notSaved')} error={update.error} />
        )}
        <OutsideFeedFields form={form} disabled={!mayEdit} />
        {oldKeyUntil !== null && (
          <Notice tone="info">{t('oldKey', { time: format.dateTime(Date.parse(oldKeyUntil)) })}</Notice>
        )}
        {mayEdit && (
          <div className={classes.actions}>
            <Button variant="default" size="xs" onClick={() => setAsked('switch')}>
              {t(enabled ? 'switchOff' : 'switchOn')}
            </Button>
            {mayRotate && (
              <Button variant="default" size="xs" onClick={() => setAsked('rotate')}>
                {t('rotate')}
              </Button>
            )}
          </div>
        )}
        {seen && <FeedPosts posts={seen.posts} />}
        <FeedCode url={url} cdnId={cdnId} />
      </div>
      {asked === 'switch' && <OutsideSwitch place={place} feed={feed} onClose={() => setAsked(null)} />}
      <Confirm
        opened={asked === 'remove'}
        onClose={() => setAsked(null)}
        title={t('removeTitle')}
        verb={t('remove')}
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ id })}
      >
        {t('removeText', { feed: name })}
      </Confirm>
      <Confirm
        opened={asked === 'rotate'}
        onClose={() => setAsked(null)}
        title={t('rotateTitle')}
        verb={t('rotateVerb')}
        busy={rotate.isPending}
        onConfirm={() => rotate.mutate({ id })}
      >
        {t('rotateText')}
      </Confirm>
    </SideDrawer>
  )
}

/** Why it does not count, if it does not. */
function State({ feed: { enabled, seen } }: { feed: OutsideFeed }) {
  const { t } = useTranslation('outside-feeds')
  const words = usePlaceWords()
  const { lookOf } = useCdnLooks()
  if (seen === null) return <Notice tone="warn">{t('unknownText')}</Notice>
  const state = enabled ? seen.state : 'off'
  if (state === 'feeding') return null
  const about =
    seen.cdnId === null || seen.place === null
      ? ''
      : ` ${t('about', { cdn: lookOf(seen.cdnId).name, place: words.level(seen.place) })}`
  return (
    <Notice tone={state === 'off' || state === 'silent' ? 'info' : 'warn'}>
      {t(`why.${state}`)}
      {state === 'contradicts' || state === 'jumped' ? about : ''}
    </Notice>
  )
}
