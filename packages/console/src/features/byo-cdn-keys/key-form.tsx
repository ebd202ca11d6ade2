import { type ByoCdnKey, ByoPlatform, byoCdnKeys } from '@fairway/contract'
import { Button, Select, TextInput } from '@mantine/core'
import { IconPlugConnected } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Card } from '../../ui/page/card.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { LeaveGuard } from '../../ui/layers/leave-guard.tsx'
import { LinkButton } from '../../ui/marks/links.tsx'
import { useSnackbar } from '../../ui/layers/snackbar.tsx'
import { useRefreshing } from '../operator/use-refreshing.ts'
import classes from './byo-cdn-keys.module.css'
import { TestNotice } from './test-result.tsx'
import { useKeyFields } from './use-key-fields.tsx'

const PATH = '/account/v2/byo-cdn-keys/'
const LIST = '/account/bring-my-cdn-account'

/** A key of one's own account: new, or one that is there. */
export function KeyForm({ saved }: { saved: ByoCdnKey | null }) {
  const { t } = useTranslation(['byo-cdn-keys', 'validation'])
  const show = useSnackbar()
  const navigate = useNavigate()
  const { platform: asked } = useSearch({ strict: false })
  const [platform, setPlatform] = useState<ByoPlatform>(saved?.platform ?? ByoPlatform.catch('cloudfront').parse(asked))
  const [name, setName] = useState(saved?.name ?? '')
  const [tried, setTried] = useState(false)
  const done = (key: ByoCdnKey) => {
    show(`key ${key.id}`, { message: t('saved', { name: key.name }) })
    void navigate({ to: LIST, ignoreBlocker: true })
  }
  const create = useRefreshing(byoCdnKeys.routes.create, PATH, done, { ownError: true })
  const update = useRefreshing(byoCdnKeys.routes.update, PATH, done, { ownError: true })
  const test = useRefreshing(byoCdnKeys.routes.test, PATH)
  const save = saved ? update : create
  const key = useKeyFields(platform, saved, save.error)
  const isDirty = name !== (saved?.name ?? '') || key.isDirty
  const submit = () => {
    setTried(true)
    const values = key.take()
    if (name.trim() === '' || values === null) return
    if (saved) update.mutate({ id: saved.id, name, values })
    else create.mutate({ platform, name, values })
  }
  return (
    <Card>
      <form
        className={classes.form}
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
        aria-label={saved?.name ?? t('add')}
      >
        {save.error && !key.isTold && <FailureNotice title={t('notSaved')} error={save.error} />}
        {test.data && <TestNotice problem={test.data.problem} detail={test.data.detail} />}
        <Select
          label={t('platform')}
          allowDeselect={false}
          disabled={saved !== null}
          data={ByoPlatform.options.map((value) => ({ value, label: t(`platforms.${value}`) }))}
          value={platform}
          onChange={(value) => {
            setPlatform(ByoPlatform.catch(platform).parse(value))
            key.clear()
            setTried(false)
          }}
        />
        <TextInput
          label={t('name')}
          description={t('nameHelp')}
          maxLength={60}
          value={name}
          error={tried && name.trim() === '' ? t('validation:required') : null}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        {key.inputs}
        <div className={classes.buttons}>
          <Button type="submit" loading={save.isPending}>
            {t(saved ? 'save' : 'add')}
          </Button>
          {saved && (
            <Button
              variant="default"
              leftSection={<IconPlugConnected size={16} stroke={1.65} />}
              loading={test.isPending}
              disabled={isDirty}
              title={isDirty ? t('saveFirst') : undefined}
              onClick={() => test.mutate({ id: saved.id })}
            >
              {t('test')}
            </Button>
          )}
          <LinkButton to={LIST} variant="default">
            {t('shell:cancel')}
          </LinkButton>
        </div>
      </form>
      <LeaveGuard when={isDirty && !save.isPending && !save.isSuccess} />
    </Card>
  )
}
