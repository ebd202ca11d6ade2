import { IpAddress, analyticsMultiCdn } from '@fairway/contract'
import { Checkbox, Select, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useRead } from '../../api/queries.ts'
import { validationText } from '../../i18n/validation.ts'
import type { Place } from '../routing-strategies/strategies-read.ts'
import { METHODS, type RequestDraft } from './request-draft.ts'
import classes from './try.module.css'

type RequestFieldsProps = {
  place: Place
  value: RequestDraft
  onChange: (value: RequestDraft) => void
  /** Without headers and body. */
  short?: boolean
}

/** A request that might come: typed in, or begun from one that came. */
export function RequestFields({ place, value, onChange, short = false }: RequestFieldsProps) {
  const { t } = useTranslation(['web-security', 'validation'])
  const set = (change: Partial<RequestDraft>) => onChange({ ...value, ...change })
  const isAddress = IpAddress.safeParse(value.address.trim()).success
  return (
    <div className={classes.fields}>
      <LoggedRequests place={place} onChoose={set} />
      <div className={classes.line}>
        <Select
          className={classes.method}
          label={t('try.method')}
          data={METHODS.map((method) => ({ value: method, label: method }))}
          value={value.method}
          allowDeselect={false}
          onChange={(method) => set({ method: method ?? value.method })}
        />
        <TextInput
          className={classes.target}
          label={t('try.target')}
          value={value.target}
          maxLength={8000}
          spellCheck={false}
          error={value.target.startsWith('/') ? null : validationText(t, 'validation.uriPath')}
          onChange={({ currentTarget }) => set({ target: currentTarget.value })}
        />
      </div>
      <TextInput
        label={t('try.address')}
        value={value.address}
        spellCheck={false}
        autoComplete="off"
        error={isAddress ? null : t('try.addressHint')}
        onChange={({ currentTarget }) => set({ address: currentTarget.value })}
      />
      {!short && (
        <>
          <Textarea
            label={t('try.headers')}
            description={t('try.headersHelp')}
            value={value.headers}
            autosize
            minRows={3}
            maxRows={10}
            spellCheck={false}
            onChange={({ currentTarget }) => set({ headers: currentTarget.value })}
          />
          <Textarea
            label={t('try.body')}
            value={value.body}
            autosize
            minRows={1}
            maxRows={8}
            maxLength={100_000}
            spellCheck={false}
            onChange={({ currentTarget }) => set({ body: currentTarget.value })}
          />
          <Checkbox
            label={t('try.base64')}
            checked={value.bodyForm === 'base64'}
            onChange={({ currentTarget }) => set({ bodyForm: currentTarget.checked ? 'base64' : 'text' })}
          />
          <div className={classes.line}>
            <Checkbox
              label={t('try.https')}
              checked={value.scheme === 'https'}
              onChange={({ currentTarget }) => set({ scheme: currentTarget.checked ? 'https' : 'http' })}
            />
            <Checkbox
              label={t('try.cleared')}
              checked={value.cleared}
              onChange={({ currentTarget }) => set({ cleared: currentTarget.checked })}
            />
          </div>
        </>
      )}
    </div>
  )
}

const DAY_SECONDS = 86_400

/** What came in the last day, newest first: its method, path and network. */
function LoggedRequests({ place, onChoose }: { place: Place; onChoose: (change: Partial<RequestDraft>) => void }) {
  const { t } = useTranslation('web-security')
  // Fixed when it opens: a window that moves would be asked for with each rendering.
  const [until] = useState(() => Math.floor(Date.now() / 1000))
  const { data } = useRead(analyticsMultiCdn.routes.requests, { ...place, from: until - DAY_SECONDS, until, limit: 40 })
  const rows = data?.data ?? []
  if (rows.length === 0) return null
  return (
    <Select
      label={t('try.logged')}
      description={t('try.loggedHelp')}
      placeholder={t('try.loggedNone')}
      searchable
      data={rows.map(({ id, method, path, client, status }) => ({
        value: id,
        label: `${method} ${path} · ${client} · ${status}`,
      }))}
      value={null}
      onChange={(id) => {
        const row = rows.find((one) => one.id === id)
        if (row) onChoose({ method: row.method, target: row.path, ...(row.client ? { address: row.client } : {}) })
      }}
    />
  )
}
