import { DnsPrimaryInput, TSIG_ALGORITHMS, dnsPrimary } from '@fairway/contract'
import type { DnsPrimary, Site } from '@fairway/contract'
import { Button, PasswordInput, Select, Switch, TextInput, Textarea } from '@mantine/core'
import { Controller } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../api/use-change.ts'
import { Dialog } from '../../ui/layers/dialog.tsx'
import { FailureNotice } from '../../ui/forms/failure-notice.tsx'
import { Notice } from '../../ui/page/notice.tsx'
import { useCheckedForm } from '../../ui/forms/use-zod-form.ts'
import classes from './dns-settings.module.css'

type Fields = {
  servers: string
  signed: boolean
  keyName: string
  algorithm: (typeof TSIG_ALGORITHMS)[number]
  secret: string
}
type SetPrimaryProps = { site: Site; primary: DnsPrimary | null; opened: boolean; onClose: () => void }

/** Where the field of the form is that the API calls by this path. */
const FIELD: Readonly<Record<string, keyof Fields>> = {
  'key.name': 'keyName',
  'key.algorithm': 'algorithm',
  'key.secret': 'secret',
}
const fieldOf = (path: string): keyof Fields => FIELD[path] ?? 'servers'

function inputOf({ servers, signed, keyName, algorithm, secret }: Fields) {
  const key = { name: keyName, algorithm, ...(secret.trim() === '' ? {} : { secret }) }
  return { servers: servers.split(/[\s,]+/).filter((server) => server !== ''), key: signed ? key : null }
}

function valuesOf(primary: DnsPrimary | null): Fields {
  return {
    servers: primary?.servers.join('\n') ?? '',
    signed: primary ? primary.key !== null : true,
    keyName: primary?.key?.name ?? '',
    algorithm: primary?.key?.algorithm ?? 'hmac-sha256',
    secret: '',
  }
}

/** Where the zone is fetched from, and what questions are signed with. */
export function SetPrimary({ site, primary, opened, onClose }: SetPrimaryProps) {
  const { t } = useTranslation(['dns-settings', 'shell'])
  const form = useCheckedForm<Fields>((fields) => {
    const parsed = DnsPrimaryInput.safeParse(inputOf(fields))
    const errors = Object.fromEntries(
      (parsed.error?.issues ?? []).map(({ path, message }) => [fieldOf(path.join('.')), { type: 'rule', message }]),
    )
    if (fields.signed && fields.secret.trim() === '' && primary?.key?.name !== fields.keyName)
      errors['secret'] = { type: 'rule', message: 'validation.required' }
    return Object.keys(errors).length === 0 ? { values: fields, errors: {} } : { values: {}, errors }
  }, valuesOf(primary))
  const set = useChange(dnsPrimary.routes.set, { subject: null, onDone: () => close() })
  const submit = form.handleSubmit((fields) => set.mutate({ site: site.id, ...inputOf(fields) }))
  const close = () => {
    set.reset()
    form.reset(valuesOf(primary))
    onClose()
  }
  const isSigned = form.watch('signed')
  return (
    <Dialog
      opened={opened}
      onClose={close}
      title={t(primary ? 'primary.changeTitle' : 'primary.setTitle', { site: site.domainName })}
      footer={
        <>
          <Button variant="default" onClick={close}>
            {t('shell:cancel')}
          </Button>
          <Button loading={set.isPending} onClick={() => void submit()}>
            {t(primary ? 'primary.save' : 'primary.setVerb')}
          </Button>
        </>
      }
    >
      <form className={classes.blocks} onSubmit={(event) => void submit(event)}>
        {set.error && <FailureNotice title={t('primary.notSet')} error={set.error} />}
        {!primary && (
          <Notice tone="warn" title={t('primary.replaces')}>
            {t('primary.replacesText')}
          </Notice>
        )}
        <Textarea
          label={t('primary.servers')}
          description={t('primary.serversHelp')}
          placeholder="192.0.2.53:53"
          autosize
          minRows={2}
          maxRows={4}
          spellCheck={false}
          data-autofocus
          error={form.problem('servers')}
          {...form.register('servers')}
        />
        <Controller
          control={form.control}
          name="signed"
          render={({ field: { value, onChange, ...field } }) => (
            <Switch
              label={t('primary.signed')}
              checked={value}
              onChange={(event) => onChange(event.currentTarget.checked)}
              {...field}
            />
          )}
        />
        {isSigned && (
          <>
            <TextInput
              label={t('primary.keyName')}
              spellCheck={false}
              autoComplete="off"
              error={form.problem('keyName')}
              {...form.register('keyName')}
            />
            <Controller
              control={form.control}
              name="algorithm"
              render={({ field }) => (
                <Select
                  label={t('primary.algorithm')}
                  data={[...TSIG_ALGORITHMS]}
                  allowDeselect={false}
                  {...field}
                  onChange={(next) => field.onChange(next ?? 'hmac-sha256')}
                />
              )}
            />
            <PasswordInput
              label={t('primary.secret')}
              description={t(primary?.key ? 'primary.secretKept' : 'primary.secretHelp')}
              autoComplete="off"
              error={form.problem('secret')}
              {...form.register('secret')}
            />
          </>
        )}
        <button type="submit" hidden aria-hidden tabIndex={-1} />
      </form>
    </Dialog>
  )
}
