import { ByoPlatform, type ManagedCdnKey, managedCdnKeys } from '@fairway/contract'
import { Button, Select } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ConfirmByName } from '../../ui/layers/confirm-by-name.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { SideDrawer } from '../../ui/layers/side-drawer.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import classes from '../byo-cdn-keys/byo-cdn-keys.module.css'
import { TestNotice } from '../byo-cdn-keys/test-result.tsx'
import { useKeyFields } from '../byo-cdn-keys/use-key-fields.tsx'
import { useRefreshing } from '../operator/use-refreshing.ts'

const PATH = '/operator/v2/cdn-keys/'

type KeyDrawerProps = {
  opened: boolean
  saved: ManagedCdnKey | null
  /** Vendors without a stored key. */ free: readonly ByoPlatform[]
  onClose: () => void
}

/**
 * A key of the operator: new, changed, tested, removed. One of the settings may be tested here, and a stored one put
 * before it.
 */
export function KeyDrawer({ opened, saved, free, onClose }: KeyDrawerProps) {
  const { t } = useTranslation(['managed-cdn-keys', 'byo-cdn-keys', 'shell'])
  const show = useSnackbar()
  const [chosen, setChosen] = useState<ByoPlatform | null>(null)
  const [asking, setAsking] = useState(false)
  const platform = saved?.platform ?? chosen ?? free[0] ?? 'cloudfront'
  const name = t(`byo-cdn-keys:platforms.${platform}`)
  const stored = saved?.source === 'stored' ? saved : null
  const done = (word: 'saved' | 'removed') => {
    show(`key ${platform}`, { message: t(word === 'saved' ? 'byo-cdn-keys:saved' : 'byo-cdn-keys:removed', { name }) })
    setAsking(false)
    onClose()
  }
  const create = useRefreshing(managedCdnKeys.routes.create, PATH, () => done('saved'), { ownError: true })
  const update = useRefreshing(managedCdnKeys.routes.update, PATH, () => done('saved'), { ownError: true })
  const remove = useRefreshing(managedCdnKeys.routes.remove, PATH, () => done('removed'), { ownError: true })
  const test = useRefreshing(managedCdnKeys.routes.test, PATH)
  const save = stored ? update : create
  const key = useKeyFields(platform, stored, save.error)
  const submit = () => {
    const values = key.take()
    if (values === null) return
    if (stored) update.mutate({ platform, values })
    else create.mutate({ platform, values })
  }
  const error = save.error ?? remove.error
  return (
    <SideDrawer
      opened={opened}
      onClose={onClose}
      title={saved ? name : t('byo-cdn-keys:add')}
      keepOpen={key.isDirty}
      onSubmit={submit}
      beside={
        stored !== null && (
          <Button
            variant="subtle"
            color="red"
            onClick={() => {
              remove.reset()
              setAsking(true)
            }}
          >
            {t('byo-cdn-keys:remove')}
          </Button>
        )
      }
      footer={
        <>
          <Button variant="default" onClick={onClose}>
            {t('shell:cancel')}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t(stored ? 'byo-cdn-keys:save' : 'byo-cdn-keys:add')}
          </Button>
        </>
      }
    >
      <div className={classes.form}>
        {error && !key.isTold && (
          <FailureNotice
            title={t(remove.error ? 'managed-cdn-keys:notRemoved' : 'byo-cdn-keys:notSaved')}
            error={error}
          />
        )}
        {test.data && <TestNotice problem={test.data.problem} detail={test.data.detail} />}
        {saved?.source === 'settings' && <Notice tone="info">{t('managed-cdn-keys:inSettings')}</Notice>}
        <p className={classes.hint}>
          {t('byo-cdn-keys:secretsMeaning')} {t('managed-cdn-keys:permissions')}
        </p>
        <Select
          label={t('byo-cdn-keys:platform')}
          allowDeselect={false}
          disabled={saved !== null}
          data={(saved ? [saved.platform] : free).map((value) => ({
            value,
            label: t(`byo-cdn-keys:platforms.${value}`),
          }))}
          value={platform}
          onChange={(value) => {
            setChosen(ByoPlatform.catch(platform).parse(value))
            key.clear()
          }}
        />
        {key.inputs}
        {saved && (
          <div>
            <Button
              variant="default"
              leftSection={<IconPlugConnected size={16} stroke={1.65} />}
              loading={test.isPending}
              disabled={key.isDirty}
              title={key.isDirty ? t('byo-cdn-keys:saveFirst') : undefined}
              onClick={() => test.mutate({ platform })}
            >
              {t('byo-cdn-keys:test')}
            </Button>
          </div>
        )}
      </div>
      <ConfirmByName
        opened={asking}
        onClose={() => setAsking(false)}
        title={t('byo-cdn-keys:removeTitle', { name })}
        name={name}
        verb={t('byo-cdn-keys:removeVerb')}
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ platform }, { onError: () => setAsking(false) })}
      >
        {t('managed-cdn-keys:removeText')}
      </ConfirmByName>
    </SideDrawer>
  )
}
