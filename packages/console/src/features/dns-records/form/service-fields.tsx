import { Select, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useFormContext, useWatch } from 'react-hook-form'
import { useTranslation } from 'react-i18next'
import type { RecordDraft } from './record-draft.ts'
import classes from './record-form.module.css'
import { PROTOCOLS, type ServiceName, joinServiceName, splitServiceName } from './service-name.ts'

/** What an SRV record offers, and over what: the first two labels of its name, which the host comes behind. */
export function ServiceFields({ host }: { host: (host: string, onHost: (host: string) => void) => ReactNode }) {
  const { t } = useTranslation('dns-records')
  const { control, setValue, formState } = useFormContext<RecordDraft>()
  const name = useWatch({ control, name: 'name' })
  const [parts, setParts] = useState(() => splitServiceName(name))
  // Until there is a service the name does not say the protocol that was chosen.
  if (joinServiceName(parts) !== name) {
    const now = splitServiceName(name)
    setParts(now.service === '' ? { ...now, protocol: parts.protocol } : now)
  }
  const set = (change: Partial<ServiceName>) => {
    const next = { ...parts, ...change }
    setParts(next)
    setValue('name', joinServiceName(next), {
      shouldDirty: true,
      shouldValidate: formState.touchedFields.name === true || formState.isSubmitted,
    })
  }
  const known = PROTOCOLS.some((one) => one === parts.protocol) ? PROTOCOLS : [...PROTOCOLS, parts.protocol]
  return (
    <>
      <div className={classes.parts}>
        <TextInput
          label={t('srv.service')}
          placeholder="sip"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className={classes.mono}
          data-autofocus
          value={parts.service}
          onChange={({ currentTarget }) => set({ service: currentTarget.value.replace(/^_/, '') })}
        />
        <Select
          label={t('srv.protocol')}
          allowDeselect={false}
          data={known.map((value) => ({ value, label: value.toUpperCase() }))}
          value={parts.protocol}
          onChange={(protocol) => set({ protocol: protocol ?? PROTOCOLS[0] })}
        />
      </div>
      {host(parts.host, (next) => set({ host: next }))}
    </>
  )
}
